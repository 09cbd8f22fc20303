import { useStacks } from "../data/stacks_context.ts";
import { isEmulated } from "../view/stacks.ts";

/// Stands above everything that shows an emulated target's results.
export function EmulatedBanner({ target }: { target: string }) {
  if (!isEmulated(useStacks(), target)) return null;
  return (
    <p class="emulated-banner" role="note">
      <b>Emulated.</b> A CPU imitates Trainium here. These results are never counted as a Trainium PASS.
    </p>
  );
}
