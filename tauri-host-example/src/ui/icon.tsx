const PATHS = {
  chat: "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Z",
  tasks: "M4 6.5l1.5 1.5L8 5.5M11 7h9M4 12.5L5.5 14 8 11.5M11 13h9M4 18.5L5.5 20 8 17.5M11 19h9",
  board: "M4 20l4.5-1L19 8.5 15.500 5 5 15.500 4 20ZM13.500 7l3.500 3.500",
  app: "M5 5h6v6H5zM13 5h6v6h-6zM5 13h6v6H5zM13 13h6v6h-6z",
  audio: "M12 4a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V7a3 3 0 0 1 3-3ZM6 11.500a6 6 0 0 0 12 0M12 17.500V20",
  video: "M4 7h11v10H4zM15 11l5-3v8l-5-3",
  send: "M5 12l14-7-5 14-3-6-6-1Z",
  check: "M5 12.500l4.500 4.500L19 7",
  clock: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16ZM12 8v4.500l3 1.500",
  alert: "M12 4l9 16H3l9-16ZM12 10v4M12 16.800v.2",
  close: "M6 6l12 12M18 6L6 18",
  back: "M12 5v14M6 13l6 6 6-6",
  plus: "M12 5v14M5 12h14",
  online: "M4 10a12 12 0 0 1 16 0M7 13.500a7.500 7.500 0 0 1 10 0M10 17a3 3 0 0 1 4 0",
  offline:
    "M4 10a12 12 0 0 1 4-2.600M12 7a12 12 0 0 1 8 3M7 13.500a7.500 7.500 0 0 1 3-1.800M10 17a3 3 0 0 1 4 0M5 4l14 16",
  agent: "M8 9h8a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2ZM12 9V5M9.500 13v1.500M14.500 13v1.500",
  inspect: "M11 5a6 6 0 1 1 0 12 6 6 0 0 1 0-12ZM15.500 15.500L20 20",
  shield: "M12 4l7 2.500v5c0 4-3 7-7 8.500-4-1.500-7-4.500-7-8.500v-5L12 4Z",
  notice: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16ZM12 11v5M12 8v.2",
  choice: "M5 7h2M5 12h2M5 17h2M10 7h9M10 12h9M10 17h9",
  confirm: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16ZM9 12l2.200 2.200L15.500 10",
  input: "M4 7h16v10H4zM8 10v4M11 14h5",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600l1.400 1.400M17 17l1.400 1.400M5.600 18.400L7 17M17 7l1.400-1.400",
  moon: "M19 14.500A7.500 7.500 0 0 1 9.500 5a7.500 7.500 0 1 0 9.500 9.500Z",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  play: "M8 5.500v13l10-6.500-10-6.500Z",
  stop: "M7 7h10v10H7z",
  power: "M12 4v8M7.500 7a7 7 0 1 0 9 0",
  down: "M6 9l6 6 6-6",
  link: "M10 14l4-4M9 11l-2 2a3.500 3.500 0 0 0 5 5l2-2M15 13l2-2a3.500 3.500 0 0 0-5-5l-2 2",
  refresh: "M19 12a7 7 0 1 1-2-5M19 4v4h-4",
  globe: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16ZM4 12h16M12 4c3 3 3 13 0 16M12 4c-3 3-3 13 0 16",
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing that says nothing by itself: what it stands beside, or an `aria-label`, does. */
export function Icon({ name, class: extra = "" }: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
