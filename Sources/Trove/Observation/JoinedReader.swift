// Several requests of one snapshot.

import LMDB

/// Reads the values of several requests in the same snapshot.
///
/// A request whose region no change touches has the same value in the new snapshot as in the last one, and is not read
/// again.
final class JoinedReader<each Part: Sendable>: ObservedReader {
    private let readers: (repeat PartReader<each Part>)

    init(_ readers: repeat PartReader<each Part>) { self.readers = (repeat each readers) }

    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool {
        let changes = RoundChanges(step.changes)
        var isNew = false
        for reader in repeat each readers {
            // Each reader must reach the commit.
            if try reader.read(in: context, step, changes) { isNew = true }
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

/// The reader of one of several requests. A class, because the compiler does not take packs of existentials.
final class PartReader<Value: Sendable> {
    private let reader: any ObservedReader<Value>
    /// The region that the last read depends on; nil before the first.
    private var region: ObservedRegion?

    /// Creates the reader of a request.
    ///
    /// - Throws: The error of the request.
    init(_ request: some StoreRequest<Value>) throws { reader = try readerOfValues(of: request) }

    /// Reads the value if the changes since the last read touch its region.
    ///
    /// - Parameter changes: The changes of the step.
    /// - Returns: Whether the value differs from the last one.
    func read(in context: ReadContext, _ step: ReadStep, _ changes: RoundChanges) throws -> Bool {
        if let region, !region.isTouched(by: changes) {
            context.readRegion?.note(region)
            return false
        }
        let (isNew, region) = try context.notingReads { try reader.read(in: context, step) }
        context.readRegion?.note(region)
        self.region = region
        return isNew
    }

    func value() throws -> Value { try reader.value() }

    func mayChange(in round: Round) throws -> Bool {
        if let region, !region.isTouched(by: round.changes) { return false }
        return try reader.mayChange(in: round)
    }
}
