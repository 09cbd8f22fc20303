/// What every page ends with: what a PASS is worth.
export function SiteFooter() {
  return (
    <footer class="site-footer">
      <p>
        A PASS says that 32 tokens were generated on at most 16 cores and checked as its evidence says. It says nothing about throughput or
        longer generation.
      </p>
    </footer>
  );
}
