// The contents of an index without entries, as a check reads them: documents beside their records.

import LMDB
import TroveCoding

/// The state of a record's document.
enum DocumentState {
    case sound, missing, different
}

/// The documents of an index to compare with the records, and the rows derived from documents.
protocol CheckedContents: AnyObject {
    /// Compares the document of a record with its columns. A damaged document is different.
    ///
    /// - Parameter columns: The columns of the record.
    func state(of key: [UInt8], _ columns: ByteView) throws -> DocumentState

    /// Returns the number of documents.
    func documentCount() throws -> Int

    /// Calls a closure with the record key of each document, until it returns false; nil for a document without record.
    func forEachDocument(_ body: (_ key: [UInt8]?, _ id: [UInt8]) throws -> Bool) throws

    /// Calls a closure with the key of each record that waits for its document, until it returns false.
    func forEachWaiting(_ body: (_ key: [UInt8]) throws -> Bool) throws

    /// Whether the rows can only be compared if the columns of all records are known.
    var needsAllRecords: Bool { get }

    /// The kind of a difference of a row.
    var rowDifference: IndexDifference.Kind { get }

    /// Returns the differences of the index's rows from each other, each as the key of a record or of a row.
    func findings(limit: Int) throws -> [(record: [UInt8]?, row: [UInt8])]
}

extension CheckedContents {
    var needsAllRecords: Bool { false }
    var rowDifference: IndexDifference.Kind { .orphaned }
}
