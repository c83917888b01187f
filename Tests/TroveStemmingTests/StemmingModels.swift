// A record type as successive programs declare it: with stemmers that differ, and without one.

import Trove
import TroveStemming

/// A stemmer of a library that has changed: its name is the same, and it reduces a word of its language in another way.
struct ChangedStemmer: TextStemmer {
    let base = SnowballStemmer("english")

    var name: String { base?.name ?? "" }
    var probe: String { base?.probe ?? "" }

    func stem(_ word: String) -> String { word == "consolingly" ? word : base?.stem(word) ?? word }
}

enum Novel {
    @IndexKeyRecord(keyPrefix: 7_400_001, "id")
    struct English: Hashable {
        #FullTextIndex<English>(\.text, analyzer: .english)

        let id: Int
        var text: String
    }

    @IndexKeyRecord(keyPrefix: 7_400_001, "id")
    struct Changed: Hashable {
        #FullTextIndex<Changed>(\.text, analyzer: .standard.stemmed(by: ChangedStemmer()))

        let id: Int
        var text: String
    }

    @IndexKeyRecord(keyPrefix: 7_400_001, "id")
    struct Standard: Hashable {
        #FullTextIndex<Standard>(\.text)

        let id: Int
        var text: String
    }
}

enum Tongue: String, RecordValue {
    case english, german, french
}

@IndexKeyRecord("id")
struct Essay: Hashable {
    #FullTextIndex<Essay>(\.title)
    #FullTextIndex<Essay>(\.body, analyzer: .english.without(.english), where: { $0.tongue == .english })
    #FullTextIndex<Essay>(\.body, analyzer: .german, where: { $0.tongue == .german })
    #FullTextIndex<Essay>(\.body, analyzer: .french, where: { $0.tongue == .french })

    let id: Int
    var tongue: Tongue
    var title: String
    var body: String
}

@IndexKeyRecord("id")
struct Vehicle: Hashable {
    #FullTextIndex<Vehicle>(
        \.text,
        analyzer: .english.replacing([
            "autos": ["car"], "automobile": ["auto"], "nyc": ["New York City", "metropolis"], "dog": ["dog", "animal"],
        ]))

    let id: Int
    var text: String
}
