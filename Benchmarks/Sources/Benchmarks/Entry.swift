// The records of the text workloads.

import Trove

/// An entry of a dictionary, with a full-text index.
@IndexKeyRecord(keyPrefix: 3, "id")
struct Entry: Hashable {
    #FullTextIndex<Entry>(\.title, \.body)

    let id: Int64
    var title: String
    var body: String
    var year: Int
}

/// An ``Entry`` as an earlier program declares it: without the index.
@IndexKeyRecord(keyPrefix: 3, "id")
struct EarlierEntry: Hashable {
    let id: Int64
    var title: String
    var body: String
    var year: Int

    init(_ entry: Entry) { (id, title, body, year) = (entry.id, entry.title, entry.body, entry.year) }
}

/// An entry with a full-text index, and an index of years.
@IndexKeyRecord("id")
struct DatedEntry: Hashable {
    #FullTextIndex<DatedEntry>(\.title, \.body)
    #Index<DatedEntry>(\.year)

    let id: Int64
    var title: String
    var body: String
    var year: Int

    init(_ entry: Entry) { (id, title, body, year) = (entry.id, entry.title, entry.body, entry.year) }
}

/// An entry with an index for parts of its texts.
@IndexKeyRecord("id")
struct PartEntry: Hashable {
    #FullTextIndex<PartEntry>(\.body, analyzer: .trigrams)

    let id: Int64
    var title: String
    var body: String
    var year: Int

    init(_ entry: Entry) { (id, title, body, year) = (entry.id, entry.title, entry.body, entry.year) }
}

/// The indexes of the entries in a database.
enum EntryIndexes: Hashable {
    case words
    /// The words, by an index that is built over stored entries.
    case wordsOfStored
    /// The words, and the years.
    case wordsAndYears
    /// The trigrams of the bodies.
    case parts
}

/// An entry without indexes.
@IndexKeyRecord("id")
struct PlainEntry: Hashable {
    let id: Int64
    var title: String
    var body: String
    var year: Int

    init(_ entry: Entry) { (id, title, body, year) = (entry.id, entry.title, entry.body, entry.year) }
}

extension Entry {
    /// The number of different years.
    static let years = 50

    init(number: Int, title: String, body: String) {
        self.init(id: Int64(number) + 1, title: title, body: body, year: 1970 + number * 31 % Self.years)
    }
}
