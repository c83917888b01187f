// Objects of later folders, kept by an object of an earlier folder.

import LMDB

/// An attached object that follows the commits of this process.
protocol CommitFollower: AnyObject, Sendable {
    /// Notes a commit.
    ///
    /// - Parameters:
    ///   - transaction: The number of the commit.
    ///   - hasChangedTypes: Whether it has changed types in the catalog.
    func noteCommit(_ transaction: Int, hasChangedTypes: Bool)
}

/// One object for each of some types. Each is made at its first use, and kept as long as its owner.
final class Attachments: Sendable {
    private struct State {
        var objects: [ObjectIdentifier: any AnyObject & Sendable] = [:]
        var followers: [any CommitFollower] = []
    }

    private let state = Monitor(State())

    /// Returns the object of a type. The first call creates it.
    ///
    /// - Parameter make: Creates the object, under a lock. It must not retain the owner, nor call this method.
    @discardableResult
    func object<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
        state.withLock { state in
            if let known = Self.known(state, Object.self) { return known }
            let made = make()
            state.objects[ObjectIdentifier(Object.self)] = made
            if let follower = made as? any CommitFollower { state.followers.append(follower) }
            return made
        }
    }

    /// Returns the object of a type if it was made.
    @discardableResult
    func object<Object: AnyObject & Sendable>(of type: Object.Type) -> Object? {
        state.withLock { Self.known($0, type) }
    }

    private static func known<Object: AnyObject & Sendable>(
        _ state: State, _ type: Object.Type
    ) -> Object? {
        state.objects[ObjectIdentifier(type)] as? Object
    }

    /// Reports a commit to the objects that follow commits.
    func noteCommit(_ transaction: Int, hasChangedTypes: Bool) {
        for follower in state.withLock({ $0.followers }) {
            follower.noteCommit(transaction, hasChangedTypes: hasChangedTypes)
        }
    }
}
