// The scan of a cursor: what is done once a batch, from ranges to tested rows.

import CSQLite
import LMDB
import Trove
import TroveCoding

/// The scan of a cursor.
@safe final class TableScan {
    unowned let table: SQLTable
    private(set) var rows: UnsafeMutablePointer<Row>
    private var capacity = EntryBatch.capacity
    var path: TablePath
    private(set) var plan = ScanPlan(path: 0)
    var ranges: [KeyRange] = []
    private var nextRange = 0
    var scan: RangeScan?
    /// The number of rows that are still to be left out.
    var rowsToSkip = 0
    var lookups: PointLookup?
    private(set) var core: TransactionCore?
    private(set) var isLasting = true
    /// The keys of the records that entries of several elements have led to.
    var seenKeys: Set<[UInt8]> = []
    /// Whether each range is that of a whole key.
    var hasWholeKeys = false
    private(set) var verifies = false
    var tests: [ScanTest] = []
    /// The memory of values that tests compare with.
    var memory: [UnsafeMutableRawPointer] = unsafe []
    var copies: [UnsafeMutableRawPointer] = unsafe []
    /// The search for words, and what it searches for.
    var text: StoredTextScan?
    var textMatches: [StoredTextMatch] = []
    /// The hits of a search that are found before the first row, the next one last: writes between two rows could
    /// change the index. Nil for a search whose hits are found as they are needed.
    var hits: [Hit]?
    /// The row that functions have shown last.
    var found: FoundRow?
    /// The number of records to read from a search at once.
    var textBatch = EntryBatch.capacity
    let newestVersion: UInt32?
    /// Memory for a key of integers.
    private let key: UnsafeMutableRawPointer
    private static let keySize = 64

    init(_ table: SQLTable) {
        self.table = table
        path = table.paths[0]
        newestVersion = table.stored.versions.last
        unsafe key = .allocate(byteCount: Self.keySize, alignment: 8)
        unsafe rows = .allocate(capacity: EntryBatch.capacity)
        unsafe rows.initialize(repeating: Row(), count: EntryBatch.capacity)
    }

    deinit {
        free()
        unsafe key.deallocate()
        unsafe rows.deallocate()
    }

    /// A record that a search has found.
    struct Hit {
        let key: [UInt8]
        let score: Double
    }

    /// Ends the scan before the transaction ends.
    func end() {
        scan = nil
        lookups = nil
        text = nil
        hits = nil
        found = nil
        core = nil
        ranges = []
        seenKeys = []
        free()
    }

    private func free() {
        unsafe memory.forEach { memory in unsafe memory.deallocate() }
        unsafe memory.removeAll(keepingCapacity: true)
        freeCopies()
        tests.removeAll(keepingCapacity: true)
    }

    func freeCopies() {
        unsafe copies.forEach { copy in unsafe copy.deallocate() }
        unsafe copies.removeAll(keepingCapacity: true)
    }

    /// Keeps an error of a row for the statement.
    func fail(_ key: ByteView, _ reason: CodingError) {
        table.connection.failure = table.connection.failure ?? table.stored.corrupted(key, reason)
    }

    // MARK: Beginning

    /// Begins a scan by a plan.
    @unsafe func begin(
        _ number: Int, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ cursor: UnsafeMutablePointer<RowCursor>
    ) throws {
        scan = nil
        lookups = nil
        seenKeys.removeAll()
        free()
        guard let run = table.connection.run else { throw SQLError.outsideOfContext }
        try run.core.check(run.lease)
        core = run.core
        isLasting = run.core.isReadOnly
        verifies = run.context.verifiesRecords
        plan = table.plans[number]
        path = table.paths[plan.path]
        nextRange = 0
        hasWholeKeys = false
        unsafe cursor.pointee.isLasting = isLasting
        unsafe cursor.pointee.keyIsLasting = isLasting
        unsafe cursor.pointee.mayWrite = table.connection.options.mayWrite
        unsafe cursor.pointee.isOver = false
        unsafe cursor.pointee.count = 0
        unsafe cursor.pointee.position = 0
        unsafe cursor.pointee.countedRows = 0
        unsafe cursor.pointee.passedRows = 0
        rowsToSkip = unsafe max(0, Self.count(plan.offset, arguments) ?? 0)
        unsafe cursor.pointee.entry = UnsafePointer(path.steps.pointer)
        unsafe cursor.pointee.ordinals = UnsafePointer(path.ordinals)
        if !table.kind.isOfRecords || path.totals != nil {
            // The rows consist of copies of stored bytes.
            unsafe cursor.pointee.isLasting = false
            if !table.kind.hasStoredKeys { unsafe cursor.pointee.keyIsLasting = false }
        }
        if case .list(let list) = table.kind {
            // Each commit can change the catalog: a read of links that are missing depends on all types, too.
            run.context.noteReadOfAllTypes()
            for test in plan.tests { unsafe addTest(test, arguments) }
            return try unsafe addRows(of: list, run.context, cursor)
        }
        guard let entries = path.entries else {
            if case .links = table.kind {
                run.context.noteReadOfAllTypes()
            } else {
                run.context.noteRead(of: table.stored.keyPrefix)
            }
            unsafe cursor.pointee.isOver = true
            return
        }
        if plan.isCount {
            run.context.noteRead(of: table.stored.keyPrefix)
            unsafe cursor.pointee.countedRows = try max(0, run.core.count(entries) - rowsToSkip)
            unsafe cursor.pointee.isOver = cursor.pointee.countedRows == 0
            return
        }
        for test in plan.tests { unsafe addTest(test, arguments) }
        if let search = plan.text {
            guard try unsafe openText(search, arguments, run) else {
                unsafe cursor.pointee.isOver = true
                return
            }
            if search.isSource { return try unsafe fill(cursor) }
        } else if plan.tests.isEmpty, rowsToSkip == 0, try unsafe lookUpIntegers(arguments, entries, run, cursor) {
            return
        }
        if let argument = plan.keyArgument {
            let key = unsafe Cell(argument: arguments?[argument])
            ranges = key.kind == .blob && !key.bytes.isEmpty ? [point(key.bytes.copy())] : []
            hasWholeKeys = true
        } else {
            try unsafe setRanges(arguments)
        }
        // The keys that an index leads to are those of any records.
        if path.isRecords {
            run.context.noteRead(of: table.stored.keyPrefix, in: ranges)
        } else {
            run.context.noteRead(of: table.stored.keyPrefix)
        }
        try checkOrder(entries)
        if plan.isDescending { ranges.reverse() }
        if let totals = path.totals, try !totals.isComplete(in: run.context) { throw PlanViolation() }
        if try unsafe countFirst(run, cursor) { return }
        try unsafe fill(cursor)
    }

    // MARK: Batches

    /// Reads the next batch with a row that passes the tests.
    @unsafe func fill(_ cursor: UnsafeMutablePointer<RowCursor>) throws {
        unsafe cursor.pointee.position = 0
        unsafe cursor.pointee.count = 0
        if case .list = table.kind {
            unsafe cursor.pointee.isOver = true
            return
        }
        guard let core, let entries = path.entries else { throw SQLError.outsideOfContext }
        if !table.kind.isOfRecords { freeCopies() }
        if !isLasting {
            freeCopies()
            // A write between two rows may have freed the page of the cursor.
            lookups = nil
        }
        if plan.text?.isSource == true { return try unsafe fillFromText(cursor) }
        try skipByCounts()
        while true {
            if let interruption = table.connection.interruption, interruption.isRaised { throw CancellationError() }
            if scan == nil {
                guard nextRange < ranges.count else {
                    unsafe cursor.pointee.isOver = true
                    return
                }
                let range = ranges[nextRange]
                nextRange += 1
                if try unsafe lookUp(range, entries, core, cursor) {
                    if unsafe !hasRows(cursor) { continue }
                    return
                }
                scan = try RangeScan(
                    core, entries, ScanRange(from: range.lower, upTo: range.upper, isDescending: plan.isDescending),
                    mayWrite: table.connection.options.isStreaming)
                if scan == nil { continue }
            }
            guard let batch = try scan?.next(atMost: batchLimit) else {
                scan = nil
                continue
            }
            if let totals = path.totals {
                try unsafe addGroup(batch[0], totals, cursor)
            } else {
                let skipped = skip(batch)
                if unsafe skipped > 0 || !addPlainly(batch, cursor) {
                    for index in skipped..<batch.count { try unsafe addRows(of: batch[index], cursor) }
                }
            }
            if unsafe hasRows(cursor) { return }
        }
    }

    /// Adds the rows of a batch that are rows as they lie in their pages, and pass the tests. Returns false for a batch
    /// with other entries, and for rows that cannot be read.
    @unsafe private func addPlainly(_ batch: EntryBatch, _ cursor: UnsafeMutablePointer<RowCursor>) -> Bool {
        guard isLasting, !verifies, plan.text == nil, table.kind.isOfRecords else { return false }
        let rows = unsafe rows
        let tests = tests
        var count = 0
        defer { unsafe cursor.pointee.position = 0 }
        @inline(__always)
        func passes() -> Bool? {
            if tests.isEmpty { return true }
            unsafe cursor.pointee.position = count
            unsafe cursor.pointee.beginRow()
            for test in tests {
                let cell = unsafe cursor.pointee.cell(test.column)
                if cell.kind == .failed { return nil }
                if !test.matches(cell) { return false }
            }
            return true
        }
        if path.isRecords {
            guard let newest = newestVersion else { return false }
            for index in 0..<batch.count {
                let entry = batch[index]
                guard entry.value.count >= StoredTable.headerSize else { return false }
                unsafe rows[count] = Row(
                    key: entry.key, value: entry.value, isOld: entry.value.integer(at: 0, as: UInt32.self) != newest)
                guard let passes = passes() else { return false }
                if passes { count += 1 }
            }
        } else {
            guard plan.isCovering else { return false }
            for index in 0..<batch.count {
                let entry = batch[index]
                guard entry.value.isEmpty else { return false }
                unsafe rows[count] = Row(entry: entry.key)
                guard let passes = passes() else { return false }
                if passes { count += 1 }
            }
        }
        unsafe cursor.pointee.count = count
        return true
    }

    /// Looks up the record of a key of integers, without ranges. Returns false for a key of other values.
    @unsafe private func lookUpIntegers(
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ entries: Database, _ run: Connection.Run,
        _ cursor: UnsafeMutablePointer<RowCursor>
    ) throws -> Bool {
        guard plan.isUnique, path.isRecords, plan.keyArgument == nil, path.components.count <= Self.keySize / 8 else {
            return false
        }
        var size = 0
        for ordinal in plan.parts.indices {
            let step = unsafe path.steps.pointer[ordinal]
            guard case .point(let bound) = plan.parts[ordinal], step.kind == .int64, !step.isOptional, step.mask == 0,
                let argument = unsafe arguments?[bound.argument], unsafe sqlite3_value_type(argument) == SQLITE_INTEGER
            else { return false }
            let number = unsafe sqlite3_value_int64(argument)
            unsafe key.storeBytes(of: (number ^ Int64.min).bigEndian, toByteOffset: size, as: Int64.self)
            size += 8
        }
        ranges = []
        let key = unsafe ByteView(UnsafeRawBufferPointer(start: key, count: size))
        let value = try key.withSpan { key in
            run.context.noteRead(of: table.stored.keyPrefix, key)
            return try run.core.value(entries, key)
        }
        // The memory of the key is that of the next lookup.
        unsafe cursor.pointee.keyIsLasting = false
        if let value { try unsafe add(record(key, value), cursor) }
        unsafe cursor.pointee.beginRow()
        unsafe cursor.pointee.isOver = cursor.pointee.count == 0
        return true
    }

    /// Looks up the record of a whole key, without a scan. Returns false if the range is not that of a whole key.
    @unsafe private func lookUp(
        _ range: KeyRange, _ entries: Database, _ core: TransactionCore, _ cursor: UnsafeMutablePointer<RowCursor>
    ) throws -> Bool {
        guard path.isRecords, hasWholeKeys, !range.lower.isEmpty else { return false }
        let value = try range.lower.withRawSpan { key in try core.value(entries, key) }
        guard let value else { return true }
        unsafe cursor.pointee.keyIsLasting = false
        try unsafe addRows(of: Entry(copied(range.lower), value), cursor)
        return true
    }

    /// Returns a copy of bytes that is valid until the next batch.
    func copied(_ bytes: [UInt8]) -> ByteView {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        unsafe copies.append(copy)
        unsafe copy.copyMemory(from: bytes, byteCount: bytes.count)
        return unsafe ByteView(UnsafeRawBufferPointer(start: copy, count: bytes.count))
    }

    /// Adds a row to the batch if it passes the tests.
    @unsafe func add(_ row: Row, _ cursor: UnsafeMutablePointer<RowCursor>) throws {
        let position = unsafe cursor.pointee.count
        var row = row
        if let search = plan.text, !search.isSource {
            guard let score = try text?.score(of: row.key.copy()) else { return }
            row.score = score
        }
        if position == capacity { unsafe grow(cursor) }
        unsafe rows[position] = row
        if !tests.isEmpty {
            unsafe cursor.pointee.position = position
            unsafe cursor.pointee.beginRow()
            defer { unsafe cursor.pointee.position = 0 }
            for test in tests {
                let cell = unsafe cursor.pointee.cell(test.column)
                if cell.kind == .failed { throw table.connection.failure ?? SQLError.outsideOfContext }
                if !test.matches(cell) { return }
            }
        }
        unsafe cursor.pointee.count = position + 1
    }

    /// The number of entries that are read at once. A record, or a group of totals, can have several rows.
    private var batchLimit: Int { !table.kind.isOfRecords ? 8 : path.totals != nil ? 1 : .max }

    /// Doubles the number of rows of a batch: a record can have any number of rows.
    @unsafe private func grow(_ cursor: UnsafeMutablePointer<RowCursor>) {
        let greater = UnsafeMutablePointer<Row>.allocate(capacity: 2 * capacity)
        unsafe greater.initialize(repeating: Row(), count: 2 * capacity)
        unsafe greater.update(from: rows, count: capacity)
        unsafe rows.deallocate()
        unsafe rows = greater
        capacity *= 2
        unsafe cursor.pointee.rows = greater
    }

    // MARK: Values for the cursor

    /// Returns a component that is read by its layout, and the offset after it.
    func component(
        _ ordinal: Int, ofEntry: Bool, from start: Int, in bytes: ByteView
    ) throws(CodingError) -> (value: FieldValue, end: Int) {
        let type = ofEntry ? path.components[ordinal].type : table.layout.key[ordinal].type
        return try bytes.withSpan { (bytes) throws(CodingError) in
            try FieldValue.readKey(type, from: start, in: bytes)
        }
    }

    /// Returns the bytes of a field, converted from a record of an older layout; nil if there is no conversion.
    func converted(_ field: Int, _ row: Row) -> Result<[UInt8]?, CodingError> {
        Result { () throws(CodingError) in try table.converted(field, row) }
    }
}

/// The end of a scan that cannot keep what its plan has promised: rows in an order, or rows without their keys. The
/// statement is prepared again without such promises.
struct PlanViolation: Error {}
