// Pictures of questions that may come next, loaded while the present one is looked at.

export function picturesAhead(ctx) {
  let held = []; // as long as they are held, the browser has them at once

  return {
    // Resolves once the pictures in sight are drawn, or cannot be.
    shown: (root) => Promise.all([...root.querySelectorAll("img")].filter((one) => one.loading !== "lazy").map((one) => one.decode().catch(() => {}))),
    async loadAhead() {
      if (navigator.connection?.saveData) return; // most of them are never shown
      let wanted = [];
      try {
        wanted = await ctx.api.ahead(ctx.person());
      } catch {
        return; // then they come with their question
      }
      held = wanted.map((one) => Object.assign(new Image(), { src: ctx.api.picture(one, one.size) }));
    },
  };
}
