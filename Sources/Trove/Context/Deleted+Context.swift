// Saves deleted entities in a context value again.

extension Deleted {
    /// The form of ``restore(in:)-(RecordWritable)`` for a context.
    public func restore(in context: inout Context) throws { try context.writing { try restore(in: $0) } }
}
