// The index workloads: the cost of indexes in changes, and their savings in queries.

extension Workload {
    static func indexing(_ inputs: Inputs) -> [Workload] {
        changingIndexed(inputs) + findingByIndex(inputs) + [building(inputs), withoutIndex(inputs)]
    }

    private static func indexing(
        _ id: String, _ title: String, records: Int, target: Double?, _ work: Work
    ) -> Workload {
        Workload(id: id, title: title, records: records, target: target, work: work, peers: PeerKind.indexing)
    }

    // MARK: Changes

    private static func changingIndexed(_ inputs: Inputs) -> [Workload] {
        let people = inputs.people.indices.map(IndexedPerson.init(number:))
        let renamed = people.map(\.renamed)
        let plain = people.map(Person.init), plainRenamed = renamed.map(Person.init)
        var random = SplitMix64(state: 2015)
        let shuffled = renamed.shuffled(using: &random), plainShuffled = shuffled.map(Person.init)
        let ids = inputs.ids
        let older = people.map { person in
            var person = person
            person.age = (person.age + 1) % IndexedPerson.ages.count
            return person
        }
        /// Returns a workload whose reference is the same change of people without indexes.
        func change(
            _ run: @escaping @Sendable (any IndexingPeer) throws -> Void,
            beside reference: @escaping @Sendable (any IndexingPeer) throws -> Void
        ) -> Work {
            .writingIndexed(
                WritingIndexed(
                    prepare: { try $0.insert(people) }, run: run, indexed: renamed,
                    reference: {
                        WritingIndexed(prepare: { try $0.insert(plain) }, run: reference, plain: plainRenamed)
                    }))
        }
        return [
            indexing(
                "I1", "insert with two indexes, one transaction", records: people.count, target: 1.25,
                .writingIndexed(WritingIndexed(run: { try $0.insert(people) }, indexed: people))),
            indexing(
                "I2", "get, rename, save, beside the same without indexes", records: people.count, target: 1.1,
                change({ try $0.rename(shuffled) }, beside: { try $0.rename(plainShuffled) })),
            indexing(
                "I2r", "replace by a renamed one, beside the same without indexes", records: people.count,
                target: nil, change({ try $0.insert(shuffled) }, beside: { try $0.insert(plainShuffled) })),
            indexing(
                "I3", "get, change the indexed age, save", records: people.count, target: nil,
                .writingIndexed(
                    WritingIndexed(prepare: { try $0.insert(people) }, run: { try $0.age(ids) }, indexed: older))),
        ]
    }

    // MARK: Queries

    private static func findingByIndex(_ inputs: Inputs) -> [Workload] {
        let count = inputs.people.count
        let ages = Array(stride(from: 3, to: IndexedPerson.ages.count, by: 5))
        let found = ages.count * count / IndexedPerson.ages.count
        let tenth = 20..<30, half = 20..<70
        let ascending = { @Sendable (peer: any IndexingPeer) in try peer.checksum(.ascending(tenth), atMost: nil) }
        let descending = { @Sendable (peer: any IndexingPeer) in try peer.checksum(.descending(tenth), atMost: nil) }
        return [
            indexing(
                "I4", "\(ages.count) selects of an indexed age, 1 % each", records: found, target: 1.2,
                .readingIndexed(
                    .indexed(count),
                    Reading(run: { peer in
                        var checksum = Checksum()
                        for age in ages {
                            for person in try peer.people(ofAge: age) { checksum.add(person) }
                        }
                        return checksum
                    }))),
            pages("I5", of: 10 * count, isDescending: false), pages("I5d", of: 10 * count, isDescending: true),
            pages("I5s", of: count / 10, isDescending: false), pages("I5sd", of: count / 10, isDescending: true),
            indexing(
                "I6", "a range of the index, sorted by it", records: count / 10, target: nil,
                .readingIndexed(.indexed(count), Reading(run: ascending))),
            indexing(
                "I6d", "the same descending, beside ascending", records: count / 10, target: 1,
                .readingIndexed(.indexed(count), Reading(run: descending, reference: ascending))),
            indexing(
                "I7", "count of a range of the index", records: count / 2, target: 1.3,
                .readingIndexed(
                    .indexed(count),
                    Reading(run: { peer in
                        var checksum = Checksum()
                        checksum.add(try peer.count(half))
                        return checksum
                    }))),
        ]
    }

    /// Returns queries for 20 people each: a figure per record is a figure per query.
    private static func pages(_ id: String, of people: Int, isDescending: Bool) -> Workload {
        let queries = 1000, all = IndexedPerson.ages
        return indexing(
            id, "20 of \(people) by an index, \(isDescending ? "descending" : "ascending"), per query",
            records: queries,
            target: nil,
            .readingIndexed(
                .indexed(people),
                Reading(run: { peer in
                    var checksum = Checksum()
                    for query in 0..<queries {
                        let age = query * 41 % all.count
                        let order =
                            isDescending
                            ? AgeOrder.descending(all.lowerBound..<age + 1) : .ascending(age..<all.upperBound)
                        checksum.add(try peer.checksum(order, atMost: 20))
                    }
                    return checksum
                })))
    }

    // MARK: Other workloads

    private static func building(_ inputs: Inputs) -> Workload {
        let people = (0..<10 * inputs.people.count).map { Person(IndexedPerson(number: $0)) }
        return indexing(
            "I8", "build an index over \(people.count) stored people", records: people.count, target: 1.5,
            .writingIndexed(
                WritingIndexed(prepare: { try $0.insert(people) }, run: { try $0.buildIndex() }, plain: people)))
    }

    private static func withoutIndex(_ inputs: Inputs) -> Workload {
        indexing(
            "I9", "filter by an age that has no index", records: inputs.people.count, target: nil,
            .readingIndexed(
                .plain(inputs.people.count),
                Reading(run: { peer in
                    var checksum = Checksum()
                    for person in try peer.plainPeople(ofAge: 7) { checksum.add(person) }
                    return checksum
                })))
    }
}

extension IndexingPeer {
    fileprivate func checksum(_ order: AgeOrder, atMost limit: Int?) throws -> Checksum {
        var checksum = Checksum()
        for person in try people(order, atMost: limit) { checksum.add(person) }
        return checksum
    }
}
