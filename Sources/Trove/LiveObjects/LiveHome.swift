// The store of live objects. It is another reference to the file than the program's own, which the program may release
// while objects are kept for reuse.

/// The store of live objects, and the objects of its file.
///
/// Unchecked because the weak reference, set once, cannot be a constant.
final class LiveHome: @unchecked Sendable {
    /// A reference to the same file with the options of the program's store. It keeps the file open.
    let reference: Store
    let objects: SharedLiveObjects
    private weak var programs: Store?

    init(_ store: Store, _ objects: SharedLiveObjects) {
        reference = Store(sharing: store)
        self.objects = objects
        programs = store
        reference.attachments.object { LiveHomeLink(self) }
    }

    /// The program's own store as long as it exists, otherwise another reference to the same file.
    var ownStore: Store { programs ?? reference }

    /// The store to read and write by: ``ownStore``, or another reference to the file if it was closed.
    var store: Store { Self.open(instead: ownStore) }

    /// The store that the objects follow the commits by: ``reference``, or another reference to the file if it was
    /// closed.
    var openReference: Store {
        let open = Self.open(instead: reference)
        // The program's own store ends its uses when the program releases it.
        return open === reference ? reference : Store(sharing: open)
    }

    private static func open(instead store: Store) -> Store {
        store.environment.isClosing ? store.references.anyOpen ?? store : store
    }
}

/// The home that a reference belongs to.
///
/// Unchecked because the weak reference, set once, cannot be a constant.
final class LiveHomeLink: @unchecked Sendable {
    private(set) weak var home: LiveHome?

    init(_ home: LiveHome) { self.home = home }
}
