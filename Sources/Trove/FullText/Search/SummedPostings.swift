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
    func add(_ postings: PostingCursor) throws {
        var page: Page?
        var pageNumber = UInt64.max
        var id = try postings.seek(1)
        while id != endOfPostings {
            if id / Self.pageSize != pageNumber {
                pageNumber = id / Self.pageSize
                page = pages[pageNumber]
            }
            let place = Int(id % Self.pageSize) * fields.count
            for index in fields.indices {
                let frequency = try postings.frequency(of: fields[index])
                guard frequency > 0 else { continue }
                if page == nil {
                    page = Page(fields: fields.count)
                    pages[pageNumber] = page
                }
                guard let page else { continue }
                let sum = page.frequencies[place + index].addingReportingOverflow(frequency)
                page.frequencies[place + index] = sum.overflow ? .max : sum.partialValue
                greatest[index] = max(greatest[index], page.frequencies[place + index])
            }
            id = try postings.next()
        }
    }

    /// Completes the sums: counts the records.
    func finish() {
        pageNumbers = pages.keys.sorted()
        count = 0
        for page in pages.values {
            for record in 0..<Int(Self.pageSize) {
                let frequencies = page.frequencies[record * fields.count..<(record + 1) * fields.count]
                if frequencies.contains(where: { $0 > 0 }) { count += 1 }
            }
        }
    }

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
