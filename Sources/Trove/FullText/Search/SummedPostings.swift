// The frequencies of several words together, as those of a single word.

import TroveCoding

/// The sums of the frequencies of several words, by record: in pages, allocated where a record has one of the words.
final class SummedPostings {
    /// The number of records of a page.
    static let pageSize: UInt64 = 4096

    /// The frequencies in each of the fields of each record of a page.
    private final class Page {
        var frequencies: [UInt32]

        init(fields: Int) { frequencies = Array(repeating: 0, count: Int(pageSize) * fields) }

        /// Returns whether a record has any of the words.
        @inline(__always)
        func hasRecord(at place: Int, fields: Int) -> Bool {
            for index in place..<place + fields where frequencies[index] > 0 { return true }
            return false
        }
    }

    /// The fields, by their numbers in the index.
    let fields: [Int]
    /// The number of records with any of the words in any of the fields.
    private(set) var count: UInt64 = 0
    private var pages: [UInt64: Page] = [:]
    /// The numbers of the pages, ascending.
    private(set) var pageNumbers: [UInt64] = []
    /// The greatest frequency of each field.
    private(set) var greatest: [UInt32]

    init(fields: [Int]) {
        self.fields = fields
        greatest = Array(repeating: 0, count: fields.count)
    }

    /// Adds the postings of a word.
    ///
    /// - Parameter others: Sums whose records are left out.
    /// - Returns: The number of records with the word in any of the fields, those left out included.
    @discardableResult
    func add(_ postings: PostingCursor, except others: [SummedPostings] = []) throws -> UInt64 {
        var page: Page?
        var hiding: [Page] = []
        var pageNumber = UInt64.max
        var found: UInt64 = 0
        var id = try postings.seek(1)
        while id != endOfPostings {
            if id / Self.pageSize != pageNumber {
                pageNumber = id / Self.pageSize
                page = pages[pageNumber]
                hiding = others.compactMap { $0.pages[pageNumber] }
            }
            let place = Int(id % Self.pageSize) * fields.count
            if hiding.contains(where: { $0.hasRecord(at: place, fields: fields.count) }) {
                if try hasFields(postings) { found += 1 }
                id = try postings.next()
                continue
            }
            var isNew = true
            var isFound = false
            if let page { isNew = !page.hasRecord(at: place, fields: fields.count) }
            for index in fields.indices {
                let frequency = try postings.frequency(of: fields[index])
                guard frequency > 0 else { continue }
                isFound = true
                if page == nil {
                    page = Page(fields: fields.count)
                    pages[pageNumber] = page
                }
                guard let page else { continue }
                if isNew {
                    count += 1
                    isNew = false
                }
                let sum = page.frequencies[place + index].addingReportingOverflow(frequency)
                page.frequencies[place + index] = sum.overflow ? .max : sum.partialValue
                greatest[index] = max(greatest[index], page.frequencies[place + index])
            }
            if isFound { found += 1 }
            id = try postings.next()
        }
        return found
    }

    private func hasFields(_ postings: PostingCursor) throws -> Bool {
        for field in fields where try postings.frequency(of: field) > 0 { return true }
        return false
    }

    /// Completes the sums.
    func finish() { pageNumbers = pages.keys.sorted() }

    /// Returns the first record of a page with any of the words, at or after a place.
    func first(inPage number: UInt64, from place: Int) -> Int? {
        guard let page = pages[number] else { return nil }
        var place = place * fields.count
        while place < page.frequencies.count {
            if page.frequencies[place] > 0 { return place / fields.count }
            place += 1
        }
        return nil
    }

    /// Returns the frequency in a field.
    func frequency(of id: UInt64, at field: Int) -> UInt32 {
        pages[id / Self.pageSize]?.frequencies[Int(id % Self.pageSize) * fields.count + field] ?? 0
    }
}
