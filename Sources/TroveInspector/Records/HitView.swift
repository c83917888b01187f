// A hit of a search as markup: its snippets, and its score by word.

#if Inspector
import Trove
import TroveTerminal

/// A hit of a search as markup.
enum HitView {
    /// The maximum number of characters of a text between two found words, and of the words of a row.
    private static let partLimit = 2_000

    /// Returns an element of a list.
    static func html(_ hit: StoredHit) -> HTML {
        Tag.li(.class("hit")) {
            Tag.p {
                RecordLink.html(hit.key)
                " "
                Tag.span(.class("score"), .title("The score")) { ScoreText.text(hit.score) }
            }
            for snippet in hit.snippets {
                Tag.p(.class("snippet")) {
                    Tag.bdi(.class("kind")) { snippet.property }
                    " "
                    Tag.bdi { marked(snippet.snippet) }
                }
            }
            if !hit.parts.isEmpty { parts(hit) }
        }
    }

    /// Returns the text of a snippet with the found words marked.
    private static func marked(_ snippet: Snippet) -> HTML {
        var parts = [HTML(text: snippet.isCutAtStart ? "… " : "")]
        var position = snippet.text.startIndex
        for range in snippet.ranges {
            parts.append(HTML(text: String(snippet.text[position..<range.lowerBound]).cut(partLimit).text))
            parts.append(Tag.mark { String(snippet.text[range]).cut(partLimit).text })
            position = range.upperBound
        }
        parts.append(HTML(text: String(snippet.text[position...]).cut(partLimit).text))
        parts.append(HTML(text: snippet.isCutAtEnd ? " …" : ""))
        return HTML(parts)
    }

    private static func parts(_ hit: StoredHit) -> HTML {
        Tag.details {
            Tag.summary { "Score by word" }
            Tag.div(.class("scrolls")) {
                Tag.table {
                    Tag.thead {
                        Tag.tr {
                            for heading in ["Word", "Score", "Share", "Records with it", "In this record"] {
                                Tag.th(.scope("col")) { heading }
                            }
                        }
                    }
                    Tag.tbody { hit.parts.map { row($0, of: hit.score) } }
                }
            }
        }
    }

    private static func row(_ part: StoredScorePart, of score: Double) -> HTML {
        Tag.tr {
            Tag.th(.scope("row")) {
                Tag.bdi { part.word.cut(partLimit).text }
                if !part.found.isEmpty {
                    Tag.small { Tag.bdi { part.found.joined(separator: ", ").cut(partLimit).text } }
                }
            }
            Tag.td(.class("number")) { ScoreText.text(part.score) }
            Tag.td { ShareBar.html(part.score, of: score) }
            Tag.td(.class("number")) { part.records.map(\.grouped).joined(separator: " and ") }
            Tag.td {
                Tag.bdi {
                    part.counts.map { "\($0.count.grouped) × \($0.property)" }.joined(separator: ", ")
                }
            }
        }
    }
}
#endif
