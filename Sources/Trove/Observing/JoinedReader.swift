// Several requests of one snapshot.

import LMDB

/// Reads the values of several requests in the same snapshot.
final class JoinedReader<each Part: Sendable>: ObservedReader {
    private let readers: (repeat PartReader<each Part>)

    init(_ readers: repeat PartReader<each Part>) { self.readers = (repeat each readers) }

    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool {
        var isNew = false
        for reader in repeat each readers {
            // Each reader must reach the commit.
            if try reader.reader.read(in: context, step) { isNew = true }
        }
        return isNew
    }

    func value() throws -> (repeat each Part) { (repeat try (each readers).reader.value()) }

    func mayChange(in round: Round) throws -> Bool {
        for reader in repeat each readers {
            if try reader.reader.mayChange(in: round) { return true }
        }
        return false
    }
}

/// The reader of one of several requests. A class, because the compiler does not take packs of existentials.
final class PartReader<Value: Sendable> {
    let reader: any ObservedReader<Value>

    /// Creates the reader of a request.
    ///
    /// - Throws: The error of the request.
    init(_ request: some StoreRequest<Value>) throws { reader = try readerOfValues(of: request) }
}
