// The frequencies of several words together, like the frequencies of a single word.
//
//     directory   for each page of 64 records its place, in chunks of 4,096 pages
//     masks       a bit for each record of a page that has one of the words
//     frequencies the sums, by page, record and field: a byte each, 255 for a sum in `great`
//     great       the sums of 255 and more
//
// A beginning of two letters has its words in most records, and memory that is written for the first time costs more
// than the sums. So these are bytes. Chunks and pages are allocated where a record has one of the words, so both a few
// records among many and most of them are found without a look at the others.

import TroveCoding

/// The sums of the frequencies of several words, by record.
struct SummedPostings {
    /// The number of records of a page.
    private static let pageSize: UInt64 = 64
    /// The number of pages of a chunk.
    private static let chunkSize: UInt64 = 4096
    private static let noPage: Int32 = -1

    /// The fields, by their numbers in the index.
    let fields: [Int]
    /// The number of records with any of the words in any of the fields.
    private(set) var count: UInt64 = 0
    /// The greatest frequency of each field.
    private(set) var greatest: [UInt32]
    /// A length class at or below the classes of the records.
    private(set) var leastLengthClass = LengthClass.greatest
    /// The places of pages; a chunk without pages is empty.
    private var directory: [[Int32]] = []
    private var masks: [UInt64] = []
    private var frequencies: [UInt8] = []
    /// The sums that a byte cannot hold, by cell.
    private var great: [Int: UInt32] = [:]

    init(fields: [Int]) {
        self.fields = fields
        greatest = Array(repeating: 0, count: fields.count)
    }

    // MARK: Adding

    /// Adds the postings of a word.
    ///
    /// - Parameter others: Sums whose records are left out.
    /// - Returns: The number of records with the word in any of the fields, records left out included.
    @discardableResult
    mutating func add(_ postings: PostingCursor, except others: [SummedPostings] = []) throws -> UInt64 {
        var found: UInt64 = 0
        try postings.forEachRun { run in
            found += add(run, except: others)
            leastLengthClass = min(leastLengthClass, postings.leastLengthClass)
        }
        return found
    }

    private mutating func add(_ run: Postings, except others: [SummedPostings]) -> UInt64 {
        var found: UInt64 = 0
        var page: Int?
        var pageNumber = UInt64.max
        for (place, id) in run.ids.enumerated() {
            if id / Self.pageSize != pageNumber {
                pageNumber = id / Self.pageSize
                page = self.place(ofPage: pageNumber)
            }
            let isLeftOut = !others.isEmpty && others.contains { $0.contains(id) }
            var isFound = false
            for index in fields.indices {
                let frequency = run.frequency(at: place, of: fields[index])
                guard frequency > 0 else { continue }
                isFound = true
                if isLeftOut { break }
                let known = page ?? makePage(pageNumber)
                page = known
                add(frequency, of: id, inPage: known, at: index)
            }
            if isFound { found += 1 }
        }
        return found
    }

    @inline(__always)
    private mutating func add(_ frequency: UInt32, of id: UInt64, inPage page: Int, at index: Int) {
        let bit = 1 &<< (id % Self.pageSize)
        if masks[page] & bit == 0 {
            masks[page] |= bit
            count += 1
        }
        let cell = cell(of: id, inPage: page, at: index)
        let sum = self.frequency(inCell: cell).addingReportingOverflow(frequency)
        let limited = sum.overflow ? .max : sum.partialValue
        frequencies[cell] = UInt8(clamping: limited)
        if limited >= UInt8.max { great[cell] = limited }
        greatest[index] = max(greatest[index], limited)
    }

    private mutating func makePage(_ number: UInt64) -> Int {
        let (chunk, index) = (Int(number / Self.chunkSize), Int(number % Self.chunkSize))
        while directory.count <= chunk { directory.append([]) }
        if directory[chunk].isEmpty { directory[chunk] = Array(repeating: Self.noPage, count: Int(Self.chunkSize)) }
        let place = masks.count
        directory[chunk][index] = Int32(place)
        masks.append(0)
        frequencies.append(contentsOf: repeatElement(0, count: Int(Self.pageSize) * fields.count))
        return place
    }

    // MARK: Finding

    /// Returns the first record with any of the words, at or after a record; nil if there is none.
    func first(from id: UInt64) -> UInt64? {
        var number = id / Self.pageSize
        var wanted = UInt64.max &<< (id % Self.pageSize)
        while number / Self.chunkSize < UInt64(directory.count) {
            if directory[Int(number / Self.chunkSize)].isEmpty {
                number = (number / Self.chunkSize + 1) * Self.chunkSize
            } else {
                if let page = place(ofPage: number), masks[page] & wanted != 0 {
                    return number * Self.pageSize + UInt64((masks[page] & wanted).trailingZeroBitCount)
                }
                number += 1
            }
            wanted = .max
        }
        return nil
    }

    /// Returns the frequency in a field.
    func frequency(of id: UInt64, at field: Int) -> UInt32 {
        guard let page = place(ofPage: id / Self.pageSize) else { return 0 }
        return frequency(inCell: cell(of: id, inPage: page, at: field))
    }

    @inline(__always)
    private func frequency(inCell cell: Int) -> UInt32 {
        let byte = frequencies[cell]
        return byte == .max ? great[cell] ?? UInt32(byte) : UInt32(byte)
    }

    /// Returns whether a record has any of the words.
    private func contains(_ id: UInt64) -> Bool {
        place(ofPage: id / Self.pageSize).map { masks[$0] & 1 &<< (id % Self.pageSize) != 0 } ?? false
    }

    @inline(__always)
    private func cell(of id: UInt64, inPage page: Int, at field: Int) -> Int {
        (page * Int(Self.pageSize) + Int(id % Self.pageSize)) * fields.count + field
    }

    @inline(__always)
    private func place(ofPage number: UInt64) -> Int? {
        let chunk = number / Self.chunkSize
        guard chunk < UInt64(directory.count), !directory[Int(chunk)].isEmpty else { return nil }
        let place = directory[Int(chunk)][Int(number % Self.chunkSize)]
        return place == Self.noPage ? nil : Int(place)
    }
}
