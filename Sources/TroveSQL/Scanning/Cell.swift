// A value of SQL that is not owned: what scans test and hand over.

import CSQLite
import LMDB

/// A value of SQL. Its bytes lie in a page, or in memory of a cursor.
struct Cell {
    enum Kind: UInt8 {
        case null, integer, real, text, json, blob
        /// A row that `MATCH` has found, for functions: the integer is the address of the object.
        case found
        /// The value could not be read: the cursor has the error.
        case failed
    }

    var kind: Kind
    var integer: Int64 = 0
    var real: Double = 0
    var bytes = ByteView()
    /// Whether the bytes are valid until the end of the transaction.
    var isLasting = false

    @inline(__always)
    init(_ kind: Kind) { self.kind = kind }

    @inline(__always)
    init(_ number: some FixedWidthInteger) {
        kind = .integer
        integer = Int64(truncatingIfNeeded: number)
    }

    /// Creates the value of a number; NULL for NaN.
    @inline(__always)
    init(_ number: Double) {
        kind = number.isNaN ? .null : .real
        // The negative zero is the same number.
        real = number + 0
    }

    @inline(__always)
    init(_ kind: Kind, _ bytes: ByteView, isLasting: Bool) {
        self.kind = kind
        self.bytes = bytes
        self.isLasting = isLasting
    }
}

extension Cell {
    /// The rank of the value's type in an order of mixed types.
    private var rank: Int {
        switch kind {
        case .null, .failed, .found: 0
        case .integer, .real: 1
        case .text, .json: 2
        case .blob: 3
        }
    }

    /// Returns a number less than, equal to or greater than 0, as SQLite orders two values without conversions.
    @inline(__always)
    func compare(_ other: Cell) -> Int {
        if kind == .integer, other.kind == .integer {
            return integer < other.integer ? -1 : integer == other.integer ? 0 : 1
        }
        return compareSlowly(other)
    }

    private func compareSlowly(_ other: Cell) -> Int {
        if rank != other.rank { return rank - other.rank }
        switch (kind, other.kind) {
        case (.integer, .integer): return integer < other.integer ? -1 : integer == other.integer ? 0 : 1
        case (.real, .real): return real < other.real ? -1 : real == other.real ? 0 : 1
        case (.integer, .real): return Self.compare(integer, other.real)
        case (.real, .integer): return -Self.compare(other.integer, real)
        case (.null, _), (.failed, _), (.found, _): return 0
        default: return bytes.compare(other.bytes)
        }
    }

    /// Compares an integer with a real exactly.
    static func compare(_ integer: Int64, _ real: Double) -> Int {
        if real < -9_223_372_036_854_775_808.0 { return 1 }
        if real >= 9_223_372_036_854_775_808.0 { return -1 }
        let whole = Int64(real)
        if integer != whole { return integer < whole ? -1 : 1 }
        let back = Double(integer)
        return back < real ? -1 : back > real ? 1 : 0
    }
}

extension Cell {
    /// Creates the value of a function's argument; its bytes are valid as long as the argument is.
    @unsafe init(argument: OpaquePointer?) {
        switch unsafe sqlite3_value_type(argument) {
        case SQLITE_INTEGER: self.init(unsafe sqlite3_value_int64(argument))
        case SQLITE_FLOAT: self.init(unsafe sqlite3_value_double(argument))
        case SQLITE_TEXT:
            let start = unsafe sqlite3_value_text(argument)
            let count = Int(unsafe sqlite3_value_bytes(argument))
            self.init(.text, unsafe ByteView(UnsafeRawBufferPointer(start: start, count: count)), isLasting: false)
        case SQLITE_BLOB:
            let start = unsafe sqlite3_value_blob(argument)
            let count = Int(unsafe sqlite3_value_bytes(argument))
            self.init(.blob, unsafe ByteView(UnsafeRawBufferPointer(start: start, count: count)), isLasting: false)
        default: self.init(.null)
        }
    }

    /// Hands the value over as the result of a column.
    @unsafe func setResult(_ context: OpaquePointer?) {
        switch kind {
        case .null: unsafe sqlite3_result_null(context)
        case .integer: unsafe sqlite3_result_int64(context, integer)
        case .real: unsafe sqlite3_result_double(context, real)
        case .text, .json:
            if isLasting {
                unsafe trove_result_text_lasting(context, bytes.pointer.baseAddress, bytes.count)
            } else {
                unsafe trove_result_text_copy(context, bytes.pointer.baseAddress, bytes.count)
            }
            if kind == .json { unsafe sqlite3_result_subtype(context, 74) }
        case .blob:
            if isLasting {
                unsafe trove_result_blob_lasting(context, bytes.pointer.baseAddress, bytes.count)
            } else {
                unsafe trove_result_blob_copy(context, bytes.pointer.baseAddress, bytes.count)
            }
        case .found:
            unsafe trove_result_found_row(context, UnsafeMutableRawPointer(bitPattern: Int(integer))) { row in
                if let row = unsafe row { unsafe Unmanaged<FoundRow>.fromOpaque(row).release() }
            }
        case .failed: unsafe sqlite3_result_error_code(context, TROVE_CORRUPT_VTAB)
        }
    }
}
