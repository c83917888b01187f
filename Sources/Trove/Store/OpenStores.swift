// The references to an open file in this process.

import LMDB

/// The program's references to an open file.
final class OpenStores: Sendable {
    private struct Slot {
        weak var store: Store?
    }

    private let slots = Monitor<[Slot]>([])

    func add(_ store: Store) {
        // Any of the references may become the last one, which is released without the lock.
        let seen = slots.withLock { slots in
            let seen = slots.map(\.store)
            slots = zip(slots, seen).compactMap { slot, other in other == nil ? nil : slot }
            slots.append(Slot(store: store))
            return seen
        }
        withExtendedLifetime(seen) {}
    }

    /// A reference that is not closed, if possible one that can write; nil if all are closed.
    ///
    /// The references that it looks at are released without the lock.
    var anyOpen: Store? {
        let open = slots.withLock { $0.compactMap(\.store) }.filter { !$0.environment.isClosing }
        return open.first { !$0.isReadOnly } ?? open.first
    }
}

extension Store {
    /// The program's references to the file of this store.
    var references: OpenStores { catalog.attachments.object { OpenStores() } }
}
