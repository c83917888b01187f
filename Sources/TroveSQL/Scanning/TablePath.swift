// The access paths of a table: the records and the indexes.

import LMDB
import Trove
import TroveCoding

/// A table of entries whose components are columns: the records by their key, or an index.
@safe final class TablePath {
    /// A component of an entry.
    struct Component {
        /// The column; nil for a value that a scan only moves past.
        let column: Int?
        let step: ValueStep
        let type: LayoutType
        /// Whether the greatest value comes first.
        let isDescending: Bool
    }

    let name: String
    let entries: Database?
    /// The index; nil for other paths.
    let index: StoredTable.Index?
    /// The totals whose groups are the entries; nil for other paths.
    let totals: StoredTotals?
    let components: [Component]
    /// The form of the entries of links; nil for other entries.
    let order: LinkOrder?
    /// The number of components before the key of the record.
    let propertyCount: Int
    let steps: StepList
    /// The component of each column, negative if there is none. The last is the first component of the record's key.
    let ordinals: UnsafeMutablePointer<Int16>
    private var samples: [Int: Sample] = [:]

    private struct Sample {
        var count: Int
        var mean: Double
    }

    init(
        _ name: String, _ entries: Database?, _ index: StoredTable.Index?, _ components: [Component],
        propertyCount: Int = 0, columnCount: Int, order: LinkOrder? = nil, totals: StoredTotals? = nil
    ) {
        self.name = name
        self.order = order
        self.entries = entries
        self.index = index
        self.totals = totals
        self.components = components
        self.propertyCount = propertyCount
        steps = StepList(components.map(\.step))
        unsafe ordinals = .allocate(capacity: columnCount + 1)
        unsafe ordinals.initialize(repeating: -1, count: columnCount + 1)
        for (ordinal, component) in components.enumerated().reversed() {
            if let column = component.column, component.step.kind != .opaque {
                unsafe ordinals[column] = Int16(ordinal)
            }
        }
        // A group has no record.
        unsafe ordinals[columnCount] = totals == nil ? Int16(propertyCount) : -1
    }

    deinit { unsafe ordinals.deallocate() }

    /// Whether this is the table of the records, by their key.
    var isRecords: Bool { index == nil && order == nil && totals == nil }

    /// Returns whether the entries have the value of a column.
    func has(_ column: Int) -> Bool { unsafe ordinals[column] >= 0 }

    /// Returns the components of the key.
    static func keyComponents(_ columns: [SQLTable.Column]) -> [Component] {
        columns.enumerated().filter(\.element.isKey).map { number, column in
            let step = column.step
            return Component(column: number, step: step, type: column.type, isDescending: step.mask != 0)
        }
    }

    /// Returns the paths of a table: the records first.
    static func all(of stored: StoredTable, _ columns: [SQLTable.Column]) -> [TablePath] {
        let key = keyComponents(columns)
        let records = TablePath(
            "", stored.records, nil, key, columnCount: columns.count)
        // The entries of records of older layouts are those of their converted values: only the program knows them.
        guard stored.versions.count <= 1 else { return [records] }
        let indexes = (stored.indexes + stored.partialIndexes).compactMap { index -> TablePath? in
            guard let components = components(index.columns, columns) else { return nil }
            return TablePath(
                index.name, index.entries, index, components + key, propertyCount: components.count,
                columnCount: columns.count)
        }
        let totals = stored.totals.compactMap { totals -> TablePath? in
            guard !totals.columns.isEmpty, let components = components(totals.columns, columns) else { return nil }
            return TablePath(
                totals.name, totals.rows, nil, components, propertyCount: components.count,
                columnCount: columns.count, totals: totals)
        }
        return [records] + indexes + totals
    }

    /// Returns the components of some properties; nil if a property is no column.
    private static func components(
        _ properties: [StoredTable.Index.Column], _ columns: [SQLTable.Column]
    ) -> [Component]? {
        var components: [Component] = []
        for property in properties {
            guard let number = columns.firstIndex(where: { $0.property == property.property }) else { return nil }
            guard property.isKey else {
                components.append(
                    Component(column: nil, step: ValueStep(kind: .opaque), type: .data, isDescending: false))
                continue
            }
            let type = columns[number].type
            let stored: LayoutType = property.isDescending ? .descending(type) : type
            let step = ValueStep(component: stored)
            components.append(Component(column: number, step: step, type: stored, isDescending: step.mask != 0))
        }
        return components
    }
}

extension TablePath {
    /// Returns the mean number of entries with equal first components, by a few samples.
    ///
    /// - Parameter count: The number of components.
    func meanGroup(_ count: Int, of total: Int, _ core: TransactionCore, _ scan: RowScanner) -> Double {
        if let known = samples[count], total < 2 * known.count, known.count < 2 * max(1, total) { return known.mean }
        let mean = sampledGroup(count, of: total, core, scan)
        samples[count] = Sample(count: total, mean: mean)
        return mean
    }

    private static let sampleCount = 8
    private static let countLimit = 100

    private func sampledGroup(_ count: Int, of total: Int, _ core: TransactionCore, _ scan: RowScanner) -> Double {
        guard let entries, total > 0 else { return 1 }
        do {
            guard let first = try key(core, entries, ScanRange()),
                let last = try key(core, entries, ScanRange(isDescending: true))
            else { return 1 }
            // The keys are interpolated after the bytes that the first and the last have in common.
            let common = zip(first, last).prefix { $0 == $1 }.count
            let (low, high) = (Self.head(first, common), Self.head(last, common))
            var sum = 0
            var samples = 0
            for index in 0..<Self.sampleCount {
                let share = Double(index) / Double(Self.sampleCount) + 0.5 / Double(Self.sampleCount)
                let head = low + UInt64(Double(high - low) * share)
                let bound =
                    Array(first.prefix(common)) + (0..<8).map { UInt8(truncatingIfNeeded: head >> (56 - 8 * $0)) }
                guard let found = try key(core, entries, ScanRange(from: bound)),
                    let size = scan.size(ofFirst: count, in: found, of: self)
                else { continue }
                let range = KeyRange(prefix: Array(found.prefix(size)))
                sum += try core.count(entries, ScanRange(from: range.lower, upTo: range.upper), atMost: Self.countLimit)
                samples += 1
            }
            return samples == 0 ? 1 : max(1, Double(sum) / Double(samples))
        } catch {
            return max(1, Double(total) / 10)
        }
    }

    private static func head(_ key: [UInt8], _ start: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 << 8 | UInt64(start + $1 < key.count ? key[start + $1] : 0) }
    }

    private func key(_ core: TransactionCore, _ entries: Database, _ range: ScanRange) throws -> [UInt8]? {
        guard var scan = try RangeScan(core, entries, range, mayWrite: false) else { return nil }
        return try scan.next(atMost: 1)?[0].key.copy()
    }
}

/// A walk over the components of entries, outside of a scan.
struct RowScanner {
    /// Returns the size of the first components of an entry; nil if the bytes are not an entry.
    func size(ofFirst count: Int, in entry: [UInt8], of path: TablePath) -> Int? {
        var offset = 0
        for component in path.components.prefix(count) {
            if component.step.kind == .opaque || [.string, .data].contains(component.step.kind) {
                if component.step.isOptional {
                    guard offset < entry.count else { return nil }
                    offset += 1
                    if entry[offset - 1] ^ component.step.mask == 0 { continue }
                }
                guard let end = entry[offset...].firstIndex(of: component.step.mask) else { return nil }
                offset = end + 1
                continue
            }
            do throws(CodingError) {
                offset = try FieldValue.readKey(component.type, from: offset, in: unsafe entry.span.bytes).end
            } catch {
                return nil
            }
        }
        return offset
    }
}
