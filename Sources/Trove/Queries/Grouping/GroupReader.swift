// The groups of a query from its records: a single pass, with the groups in memory.

import LMDB
import TroveCoding

/// The key bytes of the group, and of the aggregate's property, for the matches of a batch.
struct GroupReader {
    private let terms: [SortTerm]
    private let property: [SortTerm]
    private let table: RecordTable
    private var keys = SortBytes()
    private var values = SortBytes()

    init(_ terms: [SortTerm], of property: SortTerm?, _ table: RecordTable) {
        self.terms = terms
        self.property = property.map { [$0] } ?? []
        self.table = table
    }

    /// Reads the properties of matches.
    mutating func read(_ matches: Matches) throws {
        var run = RecordRun(matches.batch)
        do throws(CodingError) {
            try keys.read(&run, matches.bits, properties: terms)
            try values.read(&run, matches.bits, properties: property)
        } catch {
            throw run.corrupted(table, error)
        }
    }

    /// Returns the key and the value of a match that was read.
    subscript(_ index: Int) -> (key: [UInt8], value: [UInt8]) { (keys.values[index], values.values[index]) }
}

extension QueryRun {
    /// Returns the groups of the matches.
    func groups<State>(
        by terms: [SortTerm], _ aggregate: GroupAggregate<State>, _ context: ReadContext
    ) throws -> Groups<State> {
        var groups = Groups(initial: aggregate.initial)
        var reader = GroupReader(terms, of: aggregate.property, table)
        func add(_ match: (key: [UInt8], value: [UInt8])) throws {
            let place = groups.place(of: match.key)
            try ByteView.with(match.value) { try aggregate.add(&groups.states[place], $0) }
        }
        guard !sorts else {
            // The order decides which records belong to a page.
            let page = try collectSorted(context) { matches, index, _ in
                try reader.read(Matches(matches.batch.part(index..<index + 1), bits: 1))
                return reader[0]
            }
            for match in page { try add(match) }
            return groups
        }
        var scan = try scan(context, readsProperties: true)
        while var matches = try scan.next() {
            try reader.read(matches)
            while let index = matches.popFirst() { try add(reader[index]) }
        }
        return groups
    }
}
