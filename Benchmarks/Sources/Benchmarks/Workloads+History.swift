// The workloads for histories: the cost of keeping one, beside the same changes without it.

extension Workload {
    static func keepingHistory(_ inputs: Inputs) -> [Workload] {
        let people = inputs.people
        let singles = Array(people.prefix(max(1, people.count / 100)))
        let many = Array(people.prefix(max(1, people.count / 10)))
        let (half, halfIDs) = (inputs.half, inputs.half.map(\.id))
        return [
            keepingHistory(
                "G5", "durable transactions of one insert with a history, beside none", records: singles.count,
                target: 1.10,
                Writing(isDurable: true, run: { try $0.insertEach(singles) }, people: singles, changes: singles.count)),
            keepingHistory(
                "G5e", "the same without a flush", records: many.count, target: nil,
                Writing(run: { try $0.insertEach(many) }, people: many, changes: many.count)),
            keepingHistory(
                "G6", "insert with a history, one transaction, beside none", records: people.count, target: 1.15,
                Writing(run: { try $0.insert(people) }, people: people, changes: people.count)),
            keepingHistory(
                "G6d", "delete a random half, insert it again, with a history beside none", records: halfIDs.count,
                target: 1.15,
                Writing(
                    prepare: { try $0.insert(people) },
                    run: {
                        try $0.delete(halfIDs)
                        try $0.insert(half)
                    }, people: people, changes: people.count + 2 * halfIDs.count)),
        ]
    }

    private static func keepingHistory(
        _ id: String, _ title: String, records: Int, target: Double?, _ writing: Writing
    ) -> Workload {
        Workload(
            id: id, title: title, records: records, target: target, work: .writing(writing),
            peers: PeerKind.withHistory)
    }
}
