// The workloads for parts of texts: Trove's index of trigrams beside FTS5's, and beside Trove's own scan.

import Trove

extension Workload {
    static func finding(partsOf texts: TextCollection) -> [Workload] {
        let count = texts.count < 10_000 ? 6 : 30
        let parts = Once { texts.vocabulary.parts(count, 500..<20_000) }
        func searching(_ id: String, _ title: String, _ target: Double?, _ work: Work, size: Size? = nil) -> Workload {
            Workload(
                id: id, title: title, records: count, target: target, work: work, peers: PeerKind.searching,
                baseline: .grdbFast, size: size)
        }
        func search(_ run: @escaping @Sendable (any SearchingPeer, String) throws -> Int) -> Work {
            .searching(
                Searching(
                    texts: texts, indexes: .parts, prepare: { _ = parts.value },
                    run: { peer, _ in
                        var checksum = Checksum()
                        for part in parts.value { checksum.add(try run(peer, part)) }
                        return checksum
                    }))
        }
        let title = "parts of 3 to 8 letters"
        let entries = Once { texts.entries }
        return [
            searching("T14", "\(title), counted, \(texts.name)", 1, search { try $0.count(withPart: $1) }),
            searching("T14t", "\(title), first 10, \(texts.name)", 1, search { try $0.first(10, withPart: $1).count }),
            beside(
                "T14s", "\(title), counted, beside a scan", count, target: 0.05, PartEntry.self, PlainEntry.self,
                prepare: { store in
                    try store.insertEach(entries.value.map(PartEntry.init))
                    try store.insertEach(entries.value.map(PlainEntry.init))
                },
                run: { store in
                    for part in parts.value {
                        _ = try PartEntry.filter(.string(\.body, contains: part)).count(in: store)
                    }
                },
                reference: { store in
                    for part in parts.value {
                        _ = try PlainEntry.filter(.string(\.body, contains: part)).count(in: store)
                    }
                }),
            searching(
                "T14i", "store \(texts.name) with an index for parts, one transaction", nil,
                .indexingTexts(texts, .parts), size: Size(id: "T14z", title: "bytes on disk after T14i", target: 1)),
        ]
    }
}
