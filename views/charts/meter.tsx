/** @jsxImportSource @kitajs/html */
/** Progress to a goal: the confirmed part, then the part that is only worked. */
export const Meter = ({ confirmed, worked, goal }: { confirmed: number; worked: number; goal: number }) => {
  const long = (count: number) => Math.round(Math.min(1, count / Math.max(1, goal)) * 1000) / 10;
  const title = `${confirmed} confirmed and ${worked} worked of ${goal}`;
  return (
    <svg class="chart meter" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={title}>
      <title safe>{title}</title>
      <rect class="ground" width="100" height="6" />
      <rect class="worked" width={long(worked)} height="6" />
      <rect class="confirmed" width={long(confirmed)} height="6" />
    </svg>
  );
};
