// A page of a type's records: one seek, then the records in the order of keys.

#if Inspector
import Trove
import TroveCoding

/// The place in the order of keys at which a page of records begins.
enum RecordPlace {
    /// The first record.
    case start
    /// The first record with a key or its first components, as a person writes them.
    case from(String)
    /// The record after a key.
    case after([UInt8])
    /// The records before a key.
    case before([UInt8])
    /// The last records.
    case end

    init(_ request: PageRequest) throws {
        if let text = request.query("after") {
            self = .after(try Self.bytes(text))
        } else if let text = request.query("before") {
            self = .before(try Self.bytes(text))
        } else if let text = request.query("from") {
            self = .from(text)
        } else {
            self = request.query("last") == nil ? .start : .end
        }
    }

    private static func bytes(_ text: String) throws -> [UInt8] {
        guard let bytes = Hexadecimal.bytes(text) else { throw NotFound(description: "“\(text)” is not a key.") }
        return bytes
    }

    /// Whether the records are read from the greatest key to the least.
    var isDescending: Bool {
        switch self {
        case .before, .end: true
        case .start, .from, .after: false
        }
    }

    /// Returns the keys to read.
    func range(of type: StoredType) throws -> StoredKeyRange {
        switch self {
        case .start: StoredKeyRange(fromBytes: [])
        case .from(let text):
            StoredKeyRange(fromBytes: try StoredKeyRange(of: type, from: [text]).lowerBytes)
        case .after(let key): StoredKeyRange(fromBytes: key + [0])
        case .before(let key): StoredKeyRange(fromBytes: [], upTo: key, isDescending: true)
        case .end: StoredKeyRange(fromBytes: [], isDescending: true)
        }
    }
}

/// The records of a page, read by one seek.
struct RecordScan: Sendable {
    /// The rows in the order of keys.
    private(set) var rows: [RecordRow] = []
    /// The keys of the first and the last entry read, in the order of keys.
    private(set) var firstKey: [UInt8]?
    private(set) var lastKey: [UInt8]?
    /// The number of records read.
    private(set) var read = 0
    /// Whether records follow in the direction of the scan.
    private(set) var hasMore = false
    /// Whether the scan ended because its time was over, or its records were large.
    private(set) var isCut = false

    /// The number of rows of a page.
    static let rowLimit = 50
    /// The size of the records of a page after which no further one is read.
    private static let sizeLimit = 4 << 20

    /// Reads the records of a page.
    init(_ type: StoredType, at place: RecordPlace, where condition: StoredCondition?, _ snapshot: Snapshot) throws {
        let range = try place.range(of: type)
        var lastRead: [UInt8]?
        var size = 0
        try snapshot.context.forEachStoredResult(of: type, in: range) { key, result in
            if rows.count == Self.rowLimit || isCut {
                hasMore = true
                return false
            }
            read += 1
            lastRead = key
            switch result {
            case .success(let record):
                if condition?.matches(record) ?? true {
                    rows.append(.record(record))
                    size += FieldValue.record(record.fields).contentSize
                }
            case .failure(let error): rows.append(.unreadable(type.storedKey(key), "\(error)"))
            }
            if firstKey == nil { firstKey = key }
            if size >= Self.sizeLimit || snapshot.isOld { isCut = true }
            return true
        }
        lastKey = lastRead
        if place.isDescending {
            rows.reverse()
            swap(&firstKey, &lastKey)
        }
    }
}
#endif
