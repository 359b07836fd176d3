/// The effect of an acknowledged save on one captured slot.
///
/// A save may write another value than the context had, because a context below or a hook in
/// another isolation changed the slot, too. A later change in the context is based on the saved
/// value only if the context has seen that value.
///
/// ```swift
/// SlotAcknowledgement(isUnchanged: false, isSeen: true)     // .rebasesOnSaved
/// ```
package enum SlotAcknowledgement: Hashable, Sendable {
    /// Ends the change, because the slot is unchanged since the capture.
    case ends
    /// Keeps the change and bases it on the saved value.
    case rebasesOnSaved
    /// Keeps the change and bases it on the captured value; the other side set the saved one.
    case rebasesOnCaptured

    /// - Parameters:
    ///   - isUnchanged: whether the slot still has the captured value.
    ///   - isSeen: whether the context had the saved value when its changes were captured.
    package init(isUnchanged: Bool, isSeen: Bool) {
        self =
            if isUnchanged { .ends } else if isSeen { .rebasesOnSaved } else { .rebasesOnCaptured }
    }
}
