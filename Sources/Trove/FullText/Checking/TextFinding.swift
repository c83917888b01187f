// A finding of the check of a full-text index.

/// A difference between the parts of a full-text index.
struct TextFinding: Hashable {
    enum Kind: Hashable {
        /// A row fails its checksum, or no writer would have written it.
        case damagedRow(TextPart)
        /// The statistics differ from the documents and the words.
        case wrongStatistics
        /// The stored length of a record differs from its document.
        case wrongLength
        /// A document has a word that is not stored.
        case unknownWord
        /// A posting is missing, orphaned, or has other frequencies than the document.
        case wrongPosting
        /// The number of records of a word differs from its postings.
        case wrongCount
        /// A bound does not hold for a posting.
        case wrongBound
        /// The records of a word do not ascend from block to block, and on to the tail.
        case wrongOrder
        /// A word has no postings, or a block no word.
        case orphan
        /// The number of a word and the word of a number differ.
        case wrongWord
        /// The number of a record and the record of a number differ, or a document has no record.
        case wrongRecord
        /// A record waits for its text, and is in the index.
        case waitingDocument
    }

    let kind: Kind
    /// The number of the word; nil if the finding is not of a word.
    var word: UInt64?
    /// The number of the record; nil if the finding is not of a record.
    var record: UInt64?
    /// The key of a damaged row.
    var key: [UInt8]?
}
