// What a group is called: its name, or what it holds, or its number.

export const titleOf = (group) => group.name || group.title || `Group ${group.group}`;
