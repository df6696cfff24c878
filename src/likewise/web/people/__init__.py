"""Who takes part in a study that is served: names, checks, and guests that are programs."""
