// Saves deleted entities in a memory store again.

import Trove

extension Deleted {
    /// The form of `restore(in:)` for a memory store.
    public func restore(in context: inout MemoryStore) throws { try context.writing { try restore(in: $0) } }
}
