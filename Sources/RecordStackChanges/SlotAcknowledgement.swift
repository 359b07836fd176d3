/// The rest of a captured change after the save.
///
/// A save may write another value than a context had: a context below had changed the slot, too, or a hook in another
/// isolation did. What the context has changed since is a change of the saved value only if the context has seen that value.
///
/// ```swift
/// SlotAcknowledgement(isUnchanged: false, isSeen: true)     // .rebasesOnSaved
/// ```
package enum SlotAcknowledgement: Hashable, Sendable {
    /// The change has ended: nothing was changed since the capture.
    case ends
    /// The change stays, as a change of the saved value.
    case rebasesOnSaved
    /// The change stays, as a change of the captured value. The saved value is another side's.
    case rebasesOnCaptured

    /// - Parameters:
    ///   - isUnchanged: whether the slot still has the captured value.
    ///   - isSeen: whether the context had the saved value when its changes were captured.
    package init(isUnchanged: Bool, isSeen: Bool) {
        self =
            if isUnchanged { .ends } else if isSeen { .rebasesOnSaved } else { .rebasesOnCaptured }
    }
}
