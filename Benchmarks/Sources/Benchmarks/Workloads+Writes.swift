// Scans within a write transaction, compared with the same scans within a read.

extension Workload {
    /// Returns the scans of W3, W3f and W4 within a write transaction.
    static func scanningInWrites(_ inputs: Inputs) -> [Workload] {
        let ranges = inputs.ranges
        let selected = ranges.reduce(0) { $0 + $1.count }
        return [
            scan("W3w", "100 selects of a range in a write, beside a read", selected, inputs) { try $0.select(ranges) },
            scan("W3fw", "one Int property of 100 ranges in a write, beside a read", selected, inputs) {
                try $0.ages(ranges)
            },
            scan("W4w", "full scan in a write, beside a read", inputs.people.count, inputs) { try $0.all() },
        ]
    }

    private static func scan(
        _ id: String, _ title: String, _ records: Int, _ inputs: Inputs,
        _ run: @escaping @Sendable (any PersonScanning) throws -> Checksum
    ) -> Workload {
        @Sendable func reading(_ peer: any IndexingPeer, inWrite: Bool) throws -> Checksum {
            guard let peer = peer as? TroveIndexingPeer else { throw BenchmarkError("only Trove scans in a write") }
            return try peer.scanning(inWrite: inWrite, run)
        }
        return Workload(
            id: id, title: title, records: records, target: 1.5,
            work: .readingIndexed(
                .plain(inputs.people.count),
                Reading(
                    run: { try reading($0, inWrite: true) }, reference: { try reading($0, inWrite: false) })),
            peers: [.trove])
    }
}

/// The scans of people without indexes in a single transaction.
protocol PersonScanning {
    func select(_ ranges: [Range<Int64>]) throws -> Checksum
    func ages(_ ranges: [Range<Int64>]) throws -> Checksum
    func all() throws -> Checksum
}
