// The listener that receives a call after each change of a live object, whatever the change.

/// A listener that an object keeps, such as the one of Combine's publisher.
protocol ChangeListener: AnyObject, Sendable {
    /// Receives a change, where it was made: with no lock held.
    func objectHasChanged()
}
