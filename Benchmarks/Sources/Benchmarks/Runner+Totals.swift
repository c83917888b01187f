// Runs the workloads for totals.

import Foundation

extension TotalingPeer {
    /// Inserts sales with totals, with a ranked index and with neither, and checks the stored sales.
    func fill(_ count: Int) throws {
        let sales = (0..<count).map(Sale.init(number:))
        for table in [SaleTable.totaled, .ranked, .plain] {
            try inserting(sales, into: table, isEach: false)()
            guard try verified(table) == sales else {
                throw BenchmarkError("\(Self.self) did not give back what it was given")
            }
        }
        try settle()
    }
}

extension Runner {
    /// Measures changes of a table in a new database.
    func measure(
        _ writing: Workload.WritingSales, _ table: SaleTable, _ workload: Workload, _ kind: PeerKind, forMemory: Bool
    ) async throws -> Measurement {
        let place = try newPlace()
        defer { try? FileManager.default.removeItem(at: place.directory) }
        let peer = try kind.openTotaling(at: place)
        try peer.inserting(writing.stored, into: table, isEach: false)()
        let insert = peer.inserting(writing.inserted, into: table, isEach: writing.isEach)
        var (measurement, _) = try await Measurement.of(staysOnThread: true, forMemory: forMemory) { try insert() }
        guard try peer.verified(table) == writing.inserted else {
            throw BenchmarkError("\(workload.id): \(kind.rawValue) did not store what it was given")
        }
        try peer.settle()
        measurement.bytesOnDisk = try place.bytesOnDisk()
        return measurement
    }
}
