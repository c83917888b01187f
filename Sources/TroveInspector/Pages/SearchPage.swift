// `/search`: a box over the full-text indexes of all types.

#if Inspector
import Trove
import TroveTerminal

/// The hits of typed words in all full-text indexes, or in one index.
///
/// | in the query | meaning |
/// |---|---|
/// | `q` | the words, as a user types them into a search box |
/// | `type`, `index` | the only type and the only index to search |
enum SearchPage: SnapshotPage {
    static let path = "/search"
    static let navigationName: String? = "Search"
    /// The maximum number of hits of an index among others.
    private static let shortLimit = 5
    /// The maximum number of hits of the only index.
    private static let longLimit = 100
    /// The maximum number of indexes in which similar words are searched.
    private static let suggestingLimit = 10

    /// Returns the address of the hits of words in an index; nil for all indexes.
    static func address(_ words: String?, in place: SearchedIndex? = nil) -> Address {
        Address("search").with("q", words).with("type", place?.type.name).with("index", place?.index.name)
    }

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let (type, index) = (request.query("type"), request.query("index"))
        let places = try SearchedIndex.all(snapshot).filter { place in
            (type ?? place.type.name) == place.type.name && (index ?? place.index.name) == place.index.name
        }
        if let name = index ?? type, places.isEmpty {
            throw NotFound(description: "The store has no full-text index “\(name)”.")
        }
        let only = index != nil || type != nil ? places.first : nil
        let words = request.query("q")
        var found: [FoundHits] = []
        var isCut = false
        for place in places where words != nil && !isCut {
            let limit = only == nil ? shortLimit : longLimit
            found.append(try FoundHits(words ?? "", in: place, limit: limit, request.site.analyzers, snapshot))
            isCut = snapshot.isOld && found.count < places.count
        }
        let results = words.map { Self.results($0, found, isOnly: only != nil) } ?? HTML()
        let suggestions = words.map { Self.suggestions(for: $0, found, request, snapshot) } ?? []
        return PageContent(
            title: "Search", command: command(words, found, request),
            body: html {
                form(words, only: only)
                if places.isEmpty { Tag.p(.class("empty")) { "The store has no full-text index." } }
                if let words, !places.isEmpty {
                    analyzed(words, places, request.site.analyzers)
                    results
                    if isCut {
                        Tag.p(.class("hint")) {
                            "\(found.count.grouped) of \(counted(places.count, "index", "indexes")) were searched."
                        }
                    }
                    didYouMean(suggestions, only)
                }
            })
    }

    /// Returns the command that prints the hits of the first index with hits.
    private static func command(_ words: String?, _ found: [FoundHits], _ request: PageRequest) -> Command {
        guard let words, let first = found.first(where: { !$0.hits.isEmpty }) ?? found.first else {
            return Command("info", request.site.path)
        }
        let command = Command(
            "search", request.site.path, first.place.type.name, "--index", first.place.index.name, "--snippets")
        return command.with(text: words)
    }

    private static func form(_ words: String?, only: SearchedIndex?) -> HTML {
        html {
            Tag.form(.class("lines"), .method("get"), .action(address(nil)), .role("search")) {
                if let only {
                    Tag.input(.type("hidden"), .name("type"), .value(only.type.name))
                    Tag.input(.type("hidden"), .name("index"), .value(only.index.name))
                }
                Tag.div(.class("line")) {
                    Tag.label(.for("words")) { "Words" }
                    Tag.input(
                        .id("words"), .name("q"), .type("search"), .value(words ?? ""), .data("search"),
                        .spellcheck(false), .autocomplete(false),
                        .placeholder("swift store, \"once upon a time\", title:swift, stor*, databse~"))
                    Tag.button(.type("submit")) { "Search" }
                }
            }
            if let only {
                Tag.p(.class("pages")) {
                    Tag.span {
                        "Only in "
                        Tag.bdi { only.type.name }
                        ", "
                        Tag.bdi { only.index.name }
                    }
                    Tag.a(.href(address(words))) { "All indexes" }
                }
            }
        }
    }

    // MARK: Words

    /// Returns the words of the text as each analyzer of the indexes makes them.
    private static func analyzed(_ text: String, _ places: [SearchedIndex], _ analyzers: [TextAnalyzer]) -> HTML {
        var known: Set<String> = []
        let rows = places.compactMap { place -> HTML? in
            guard let text = place.index.fullText, known.insert(text.analyzer).inserted, known.count <= 20 else {
                return nil
            }
            return row(text.analyzer, place.index.analyzer(among: analyzers))
        }
        func row(_ name: String, _ analyzer: TextAnalyzer?) -> HTML {
            html {
                Tag.dt { Tag.bdi { name } }
                Tag.dd(.class("words")) {
                    if let analyzer {
                        terms(analyzer.tokens(of: text))
                    } else {
                        Tag.span(.class("hint")) { "only its program has this analyzer" }
                    }
                }
            }
        }
        return Tag.section(.aria("label", "Words of the text")) {
            Tag.h2 { "The text as each analyzer reads it" }
            Tag.dl(.class("facts")) { rows }
        }
    }

    private static func terms(_ tokens: [TextToken]) -> HTML {
        let limit = 100
        return html {
            if tokens.isEmpty { Tag.span(.class("hint")) { "no words" } }
            for token in tokens.prefix(limit) {
                Tag.code { Tag.bdi { token.term.cut(ValueView.cellLimit).text } }
                " "
            }
            if tokens.count > limit { Tag.span(.class("hint")) { "… \(counted(tokens.count, "word"))" } }
        }
    }

    // MARK: Hits

    private static func results(_ words: String, _ found: [FoundHits], isOnly: Bool) -> HTML {
        let empty = found.filter { $0.hits.isEmpty && $0.error == nil }
        let shown = found.filter { !$0.hits.isEmpty || $0.error != nil }
        var budget = Budget()
        let sections = budget.parts(of: shown) { section(words, $0, isOnly: isOnly) }
        return html {
            sections
            Budget.hint(sections.count, of: shown.count, "indexes with hits")
            if !empty.isEmpty {
                Tag.p(.class("empty")) {
                    "Nothing found in "
                    for (place, hits) in empty.prefix(20).enumerated() {
                        place == 0 ? "" : "; "
                        Tag.bdi { "\(hits.place.type.name), \(hits.place.index.name)" }
                    }
                    empty.count > 20 ? "; and \(empty.count - 20) further indexes." : "."
                }
            }
        }
    }

    private static func section(_ words: String, _ hits: FoundHits, isOnly: Bool) -> HTML {
        var budget = Budget()
        let items = budget.parts(of: hits.hits) { HitView.html($0) }
        return Tag.section(.class("found")) {
            Tag.h2 {
                Tag.a(.href(TypePage.address(hits.place.type.name))) { Tag.bdi { hits.place.type.name } }
                " "
                Tag.bdi(.class("kind")) { hits.place.index.name }
            }
            if let error = hits.error { ErrorPage.message(error) }
            Tag.ol(.class("hits")) { items }
            Budget.hint(items.count, of: hits.hits.count, "hits")
            if hits.hasMore {
                Tag.p(.class("pages")) {
                    if isOnly {
                        Tag.span(.class("hint")) { "The \(longLimit) best records are shown." }
                    } else {
                        Tag.a(.href(address(words, in: hits.place))) { "More in this index" }
                    }
                }
            }
        }
    }

    // MARK: Suggestions

    /// Returns similar words with hits, if there are no hits.
    private static func suggestions(
        for words: String, _ found: [FoundHits], _ request: PageRequest, _ snapshot: Snapshot
    ) -> [String] {
        guard found.allSatisfy(\.hits.isEmpty) else { return [] }
        var texts: [String] = []
        for hits in found.prefix(suggestingLimit) where hits.error == nil && !snapshot.isOld {
            let suggestions = try? snapshot.context.storedSuggestions(
                for: words, of: hits.place.type, index: hits.place.index.name, analyzers: request.site.analyzers)
            for suggestion in suggestions ?? [] where !texts.contains(suggestion.text) { texts.append(suggestion.text) }
        }
        return Array(texts.prefix(5))
    }

    @HTMLBuilder
    private static func didYouMean(_ suggestions: [String], _ only: SearchedIndex?) -> HTML {
        if !suggestions.isEmpty {
            Tag.p(.class("suggestions")) {
                "Did you mean "
                for (place, text) in suggestions.enumerated() {
                    place == 0 ? "" : " or "
                    Tag.a(.href(address(text, in: only))) { Tag.bdi { text } }
                }
                "?"
            }
        }
    }
}
#endif
