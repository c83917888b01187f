// Several requests of one snapshot.

import LMDB

/// Reads the values of several requests in the same snapshot.
final class JoinedReader<each Part: Sendable>: ObservedReader {
    private let readers: (repeat any ObservedReader<each Part>)

    init(_ readers: repeat any ObservedReader<each Part>) { self.readers = (repeat each readers) }

    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool {
        var isNew = false
        for reader in repeat each readers {
            // Each reader must reach the commit.
            if try reader.read(in: context, step) { isNew = true }
        }
        return isNew
    }

    func value() throws -> (repeat each Part) { (repeat try (each readers).value()) }

    func mayChange(in round: Round) throws -> Bool {
        for reader in repeat each readers {
            if try reader.mayChange(in: round) { return true }
        }
        return false
    }
}
