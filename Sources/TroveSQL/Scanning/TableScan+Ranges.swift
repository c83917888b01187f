// The ranges and the tests of a scan, from the values of a run.

import CSQLite
import LMDB
import Trove
import TroveCoding

extension TableScan {
    /// Returns the range of a single whole key.
    func point(_ key: [UInt8]) -> KeyRange { KeyRange(lower: key, upper: key + [0]) }

    @unsafe func argument(
        _ bound: ScanPlan.Bound, _ column: Int, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Cell {
        let value = unsafe arguments?[bound.argument]
        return unsafe argument(value ?? nil, column)
    }

    /// Returns an argument after the conversion that a comparison with the column makes. The bytes are valid until the
    /// end of the scan.
    @unsafe func argument(_ value: OpaquePointer?, _ column: Int) -> Cell {
        var cell = unsafe Cell(argument: value)
        if table.columns[column].comparison.isNumeric, cell.kind == .text {
            let copy = unsafe sqlite3_value_dup(value)
            defer { unsafe sqlite3_value_free(copy) }
            if unsafe sqlite3_value_numeric_type(copy) != SQLITE_TEXT { cell = unsafe Cell(argument: copy) }
        }
        guard !cell.bytes.isEmpty else { return cell }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: cell.bytes.count, alignment: 1)
        if let start = unsafe cell.bytes.pointer.baseAddress {
            unsafe copy.copyMemory(from: start, byteCount: cell.bytes.count)
        }
        unsafe memory.append(copy)
        cell.bytes = unsafe ByteView(UnsafeRawBufferPointer(start: copy, count: cell.bytes.count))
        return cell
    }

    @unsafe func addTest(_ test: ScanPlan.Test, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        let value = unsafe argument(test.bound, test.column, arguments)
        let column = table.columns[test.column]
        guard let test = ScanTest(test.column, test.bound.comparison, value, column.comparison) else { return }
        tests.append(test)
    }

    @unsafe func setRanges(_ arguments: UnsafeMutablePointer<OpaquePointer?>?) throws {
        var prefixes: [[UInt8]] = [[]]
        var isExact = true
        var isOfPoints = true
        // Whether the conditions on later components are left to tests. Then the order is not that of the plan.
        var isShortened = false
        var last: [KeyRange]?
        loop: for (ordinal, part) in plan.parts.enumerated() {
            let component = path.components[ordinal]
            guard let column = component.column else { break }
            switch part {
            case .point(let bound):
                let value = unsafe argument(bound, column, arguments)
                guard let found = component.step.ranges(bound.comparison, value) else {
                    // A number beside a column of texts: SQLite decides.
                    isShortened = true
                    break loop
                }
                guard !found.ranges.isEmpty else {
                    ranges = []
                    return
                }
                guard let point = found.point else {
                    // Nil and NaN are both NULL.
                    last = found.ranges
                    isShortened = true
                    break loop
                }
                prefixes = prefixes.map { $0 + point }
            case .list(let argument):
                guard let points = try unsafe points(arguments?[argument] ?? nil, component.step, column) else {
                    isShortened = true
                    break loop
                }
                prefixes = prefixes.flatMap { prefix in points.map { prefix + $0 } }
            case .range(let bounds):
                isOfPoints = false
                var found: ComponentRanges?
                for bound in bounds {
                    let value = unsafe argument(bound, column, arguments)
                    guard let ranges = component.step.ranges(bound.comparison, value) else { continue }
                    if !ranges.isExact { isExact = false }
                    found = found.map { $0.intersection(ranges) } ?? ranges
                }
                last = found?.ranges
            }
        }
        if isShortened {
            if plan.consumesOrder { throw PlanViolation() }
            isExact = false
        }
        ranges = prefixes.flatMap { prefix -> [KeyRange] in
            guard let last else { return [KeyRange(prefix: prefix)] }
            return last.map { range in
                KeyRange(
                    lower: prefix + range.lower,
                    upper: range.upper.map { prefix + $0 } ?? KeyRange.successor(of: prefix))
            }
        }
        // An index of elements leads to a record once for an element that is known.
        if isShortened, !table.kind.isOfRecords, path.index != nil { return try unsafe scanAllRecords(arguments) }
        hasWholeKeys = isOfPoints && !isShortened && plan.parts.count == path.components.count
        if path.totals != nil { ranges = ranges.map(\.ofGroups) }
        if path.index != nil || path.totals != nil {
            let isWhole = cutRanges()
            if !isWhole, !table.kind.isOfRecords { return try unsafe scanAllRecords(arguments) }
            isExact = isWhole && isExact
        }
        if !isExact || !table.kind.isOfRecords && path.index != nil {
            for test in plan.boundTests { unsafe addTest(test, arguments) }
        }
    }

    /// Changes the path to all records, tested for the conditions of the plan.
    @unsafe private func scanAllRecords(_ arguments: UnsafeMutablePointer<OpaquePointer?>?) throws {
        // The components of the order are those of the other path.
        if plan.consumesOrder { throw PlanViolation() }
        path = table.paths[0]
        ranges = [.all]
        hasWholeKeys = false
        for test in plan.boundTests { unsafe addTest(test, arguments) }
    }

    /// Returns the bytes of the values of an `IN` in order; nil if SQLite has to decide about one of them.
    @unsafe func points(_ list: OpaquePointer?, _ step: ValueStep, _ column: Int) throws -> [[UInt8]]? {
        var points: [[UInt8]] = []
        var value: OpaquePointer?
        var isComplete = true
        var code = unsafe sqlite3_vtab_in_first(list, &value)
        while code == SQLITE_OK, unsafe value != nil {
            let cell = unsafe argument(value, column)
            if let found = step.ranges(.equal, cell) {
                if let point = found.point { points.append(point) }
            } else {
                isComplete = false
            }
            code = unsafe sqlite3_vtab_in_next(list, &value)
        }
        guard code == SQLITE_OK || code == SQLITE_DONE else {
            throw SQLError(code: code, message: "An IN list failed.")
        }
        guard isComplete else { return nil }
        var distinct: [[UInt8]] = []
        for point in points.sorted(by: { $0.lexicographicallyPrecedes($1) }) where point != distinct.last {
            distinct.append(point)
        }
        return distinct
    }

    /// Cuts bounds to the part of long entries that is in their order. Returns whether there was nothing to cut.
    func cutRanges() -> Bool {
        let size = StoredTable.Index.headSize
        var isWhole = true
        for index in ranges.indices {
            if ranges[index].lower.count > size {
                ranges[index].lower = Array(ranges[index].lower.prefix(size))
                isWhole = false
            }
            if let upper = ranges[index].upper, upper.count > size {
                ranges[index].upper = KeyRange.successor(of: Array(upper.prefix(size)))
                isWhole = false
            }
        }
        if !isWhole, ranges.count > 1 {
            // Cut ranges may overlap: all entries from the first to the last are read.
            ranges = [KeyRange(lower: ranges[0].lower, upper: ranges[ranges.count - 1].upper)]
        }
        return isWhole
    }

    /// Throws if SQLite relies on the order of the rows, and values without a rank in the order of SQL are stored.
    func checkOrder(_ entries: Database) throws {
        guard plan.consumesOrder, !ranges.isEmpty, let ordinal = plan.guardedComponent, let core else { return }
        var prefix: [UInt8] = []
        if let first = ranges.first {
            let size = RowScanner().size(ofFirst: ordinal, in: first.lower, of: path)
            prefix = size.map { Array(first.lower.prefix($0)) } ?? []
        }
        for range in path.components[ordinal].step.irregularRanges {
            let upper = range.upper.map { prefix + $0 } ?? KeyRange.successor(of: prefix)
            if try core.count(entries, ScanRange(from: prefix + range.lower, upTo: upper), atMost: 1) > 0 {
                throw PlanViolation()
            }
        }
    }
}
