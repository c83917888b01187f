// The operations of a peer for the observation workloads.

import Foundation
import GRDB
import Trove

/// A database of people that is observed while it changes.
protocol ObservingPeer: Peer {
    /// Observes the people of a range of ids until the returned task is cancelled.
    ///
    /// - Parameter receive: Receives the people at once, and again after each commit that changes them. Commits in
    ///   between may be left out.
    func observe(
        _ ids: Range<Int64>, _ receive: @escaping @Sendable ([Person]) -> Void
    ) -> Task<Void, any Error>
}

extension PeerKind {
    /// The peers of the observation workloads. GRDB is the baseline.
    static let observing: [PeerKind] = [.trove, .grdbFast]

    /// - Throws: An error for a peer outside ``observing``.
    func openObserving(at place: Place) throws -> any ObservingPeer {
        switch self {
        case .trove: try TrovePeer(at: place)
        case .grdbFast: try GRDBFastPeer(at: place)
        default: throw BenchmarkError("\(rawValue) cannot be observed")
        }
    }
}

extension TrovePeer: ObservingPeer {
    func observe(
        _ ids: Range<Int64>, _ receive: @escaping @Sendable ([Person]) -> Void
    ) -> Task<Void, any Error> {
        Task { [store] in
            for try await people in Person.query(id: .range(ids)).values(in: store) { receive(people) }
        }
    }
}

extension GRDBFastPeer: ObservingPeer {
    /// Observes as GRDB's documentation recommends for a request that is always the same.
    func observe(
        _ ids: Range<Int64>, _ receive: @escaping @Sendable ([Person]) -> Void
    ) -> Task<Void, any Error> {
        let observation = ValueObservation.trackingConstantRegion { database in
            try PersonRow<Person>.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM person WHERE id >= ? AND id < ? ORDER BY id"),
                arguments: [ids.lowerBound, ids.upperBound]
            ).map(\.person)
        }
        .removeDuplicates()
        return Task { [pool] in
            for try await people in observation.values(in: pool) { receive(people) }
        }
    }
}
