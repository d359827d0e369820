// Line icons of 16 x 16 px in the current text colour.
const kPaths = {
  overview: "M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z",
  needs: "M8 1.5a4 4 0 0 0-4 4c0 4-1.5 5-1.5 5h11S12 9.500 12 5.500a4 4 0 0 0-4-4M6.500 13a1.600 1.600 0 0 0 3 0",
  start: "M8 3v10M3 8h10",
  events: "M2 8h2.500l2-5 3 10 2-5H14",
  import: "M8 2v8M4.500 7 8 10.500 11.500 7M2.500 13.500h11",
  system: "M2 13.500h12M3.500 11V8M6.500 11V5M9.500 11V7M12.500 11V3",
  tool: "M10 2.500a3.500 3.500 0 0 0-3.300 4.700L2.500 11.400l2.100 2.100 4.200-4.200A3.500 3.500 0 0 0 13.500 6l-2 2-2.500-.5L8.500 5l2-2z",
  eye: "M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
  stop: "M4 4h8v8H4z",
  send: "M2.500 8 13.500 2.500 10 13.500 7.500 9z",
  mic: "M8 2a2 2 0 0 0-2 2v4a2 2 0 1 0 4 0V4a2 2 0 0 0-2-2M3.500 7.500a4.500 4.500 0 0 0 9 0M8 12v2.500",
  file: "M10.500 5 6 9.500a1.500 1.500 0 0 0 2.100 2.100L13 6.700a3 3 0 0 0-4.200-4.200L3.700 7.600a4.500 4.500 0 0 0 6.400 6.400l3.400-3.500",
  back: "M10 3 5 8l5 5",
  down: "M3 6l5 5 5-5",
  play: "M4.500 2.500v11l9-5.500z",
  pause: "M5 3v10M11 3v10",
  close: "M3.500 3.500l9 9M12.500 3.500l-9 9",
  check: "M2.500 8.500 6 12l7.500-8",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  filter: "M2 4h12M4.500 8h7M6.500 12h3",
  terminal: "M3 4.500 6.500 8 3 11.500M8 11.500h5",
  edit: "M10.500 3 13 5.500 6 12.500l-3 .500.500-3zM9 4.500 11.500 7",
  document: "M4 2h5l3.500 3.500V14H4zM9 2v3.500h3.500M6 8.500h4.500M6 11h4.500",
  folder: "M2 4h4.500l1.500 2H14v7H2z",
  search: "M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9M10.300 10.300 14 14",
  globe: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M2 8h12M8 2c-4 4-4 8 0 12 4-4 4-8 0-12",
  plan: "M2.500 4 3.500 5 5.500 3M2.500 11.500l1 1 2-2M8 4h6M8 11.500h6",
  agent: "M4 6h8v7H4zM8 6V3M6.500 9v1M9.500 9v1M2 9v2M14 9v2",
  question: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M6.200 6.300a1.900 1.900 0 1 1 2.600 1.800c-.600.300-.800.600-.800 1.200M8 11.400v.200",
  link: "M6.500 9.500a3 3 0 0 0 4.200 0l2.300-2.300a3 3 0 0 0-4.200-4.200L7.800 4M9.500 6.500a3 3 0 0 0-4.200 0L3 8.800A3 3 0 0 0 7.200 13l1-1",
} as const;

export function Icon({ name }: { name: keyof typeof kPaths }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={kPaths[name]} fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

// The logo: an oriel window.
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
      <path d="M6 11 16 4l10 7v13l-10 5-10-5z" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
      <path d="M12 9.500v16.800M20 9.500v16.800M6 17.500h20" stroke="currentColor" stroke-width="1.500" />
      <path class="mark-light" d="M12.800 18.300h6.400v7.800L16 27.700l-3.200-1.600z" />
    </svg>
  );
}
