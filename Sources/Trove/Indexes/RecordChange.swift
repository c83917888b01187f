// What has to be written when a record changes: its fields, the entries of the new record that the old one had not, and
// the other way round. Entries that both have cost nothing.

import LMDB
import TroveCoding

/// A record before and after a change. A transaction uses the same memory for one after the other.
struct RecordChange: ~Copyable {
    /// The value of the new record, with zeros before its fields.
    private(set) var value: [UInt8] = []
    var old = IndexEntries()
    var new = IndexEntries()
    /// The tables whose entries may change.
    private(set) var tables = IndexMask.all
    private var values = ValuePair()

    mutating func removeAll() {
        old.removeAll()
        new.removeAll()
        tables = .all
    }

    /// Writes the fields of the new record.
    ///
    /// - Throws: What keeps them from being written; nothing has changed in the store then.
    mutating func encode(_ record: some IndexKeyRecord) throws {
        let size = StoredValue.headerSize + max(0, try record.fieldsSize())
        if value.count > size { value.removeLast(value.count - size) }
        if value.count < size { value.append(contentsOf: repeatElement(0, count: size - value.count)) }
        try unsafe value.withUnsafeMutableBytes { buffer in
            var bytes = unsafe buffer.mutableBytes
            try ValueWriter.write(into: &bytes) { writer in
                UInt64(0).encode(into: &writer)
                record.encodeFields(into: &writer)
            }
        }
    }

    /// Finds out which tables the change of a stored value can concern.
    ///
    /// - Throws: ``StoreError`` for a value that cannot be read.
    mutating func compare(with stored: RawSpan, _ key: RawSpan, _ table: RecordTable) throws {
        guard ByteView.with(stored, StoredValue.version(of:)) == table.fieldsVersion else { return }
        do {
            tables = try unsafe stored.withUnsafeBytes { stored in
                try unsafe value.withUnsafeBytes { new in
                    unsafe values.set(stored, new)
                    return try table.schema.dependencies.changed(in: &values)
                }
            }
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    /// Compares the two lists of entries, once both are made.
    mutating func compareEntries() { old.keepCommon(with: &new) }
}

/// Two values of one record, which are read together one property at a time.
@safe struct ValuePair: ~Copyable {
    private let entries: UnsafeMutablePointer<Entry>
    private var run: RecordRun

    init() {
        unsafe entries = .allocate(capacity: 2)
        run = unsafe RecordRun(entries, count: 2)
    }

    deinit { unsafe entries.deallocate() }

    /// Takes values of the present version, to be read from their first property on while the bytes hold.
    @unsafe mutating func set(_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer) {
        unsafe entries.initialize(to: Entry(ByteView(), ByteView(old)))
        unsafe (entries + 1).initialize(to: Entry(ByteView(), ByteView(new)))
        run.rewind()
    }

    /// Whether all properties are the same.
    var isSame: Bool { run.fields(at: 0).equals(run.fields(at: 1)) }

    /// Reads the next property of both values. Returns whether it is the same.
    mutating func skip(_ skip: PropertySkip, compares: Bool) throws(CodingError) -> Bool {
        let (oldStart, newStart) = (run.position(at: 0), run.position(at: 1))
        try skip(&run)
        guard compares else { return true }
        let old = run.fields(at: 0)[oldStart..<run.position(at: 0)]
        return old.equals(run.fields(at: 1)[newStart..<run.position(at: 1)])
    }
}
