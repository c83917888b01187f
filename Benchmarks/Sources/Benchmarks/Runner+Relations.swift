// Runs the relation workloads.

import Foundation

extension Runner {
    func measure(
        _ relating: Workload.Relating, _ workload: Workload, _ kind: PeerKind, forMemory: Bool
    ) async throws -> Measurement {
        let place = try newPlace(isDurable: relating.isDurable)
        defer { try? FileManager.default.removeItem(at: place.directory) }
        let peer = try kind.openRelating(at: place)
        try relating.prepare(peer)
        let size = try place.bytesOnDisk()
        var (measurement, _) = try await Measurement.of(staysOnThread: !relating.isDurable, forMemory: forMemory) {
            try await relating.run(peer)
        }
        let contents = try peer.contents()
        guard relating.contents == nil || relating.contents == contents else {
            throw BenchmarkError("\(workload.id): \(kind.rawValue) did not store what it was given")
        }
        try peer.settle()
        measurement.bytesOnDisk = try place.bytesOnDisk()
        if kind == .trove, !relating.mayGrow, measurement.bytesOnDisk > size {
            throw BenchmarkError("\(workload.id): the file has grown by \(measurement.bytesOnDisk - size) bytes")
        }
        return measurement
    }
}

extension PeerKind {
    /// The peers of the relation workloads.
    static let relating: [PeerKind] = [.trove, .liblmdb, .grdbFast, .grdbCodable]

    /// - Throws: An error for a peer outside ``relating``.
    func openRelating(at place: Place) throws -> any RelatingPeer {
        switch self {
        case .trove: try TroveRelatingPeer(at: place)
        case .liblmdb: try LiblmdbRelatingPeer(at: place)
        case .grdbFast: try GRDBRelatingPeer(at: place)
        case .grdbCodable: try GRDBCodableRelatingPeer(at: place)
        case .liblmdbPlain: throw BenchmarkError("\(rawValue) has no relations")
        }
    }
}
