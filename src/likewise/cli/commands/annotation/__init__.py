"""Commands that ask: questions in the terminal, on the page, for one person or several."""
