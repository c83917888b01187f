// A part of a text with the words that a search has found.

/// A part of a found text, with the ranges of the words of the query.
///
/// ```swift
/// for hit in try Article.matching("ordered store").limit(10).hits(in: store) {
///     print(hit.snippet(of: \.body).marked())  // …records in <b>ordered</b> tables: the <b>store</b> has…
/// }
/// ```
public struct Snippet: Hashable, Sendable {
    /// The part of the text, unchanged. It begins and ends between two characters.
    public let text: String
    /// The ranges of ``text`` to mark, in order. They are not empty, do not touch, and begin and end between two
    /// characters.
    public let ranges: [Range<String.Index>]
    /// Whether the whole text begins before the part.
    public let isCutAtStart: Bool
    /// Whether the whole text goes on after the part.
    public let isCutAtEnd: Bool

    /// Returns the text with marks around the found words.
    ///
    /// ```swift
    /// snippet.marked()                                      // HTML
    /// snippet.marked("\u{1B}[1m", "\u{1B}[0m", escapesHTML: false)   // for a terminal
    /// ```
    ///
    /// - Parameters:
    ///   - open: The text that begins a mark. It is not escaped.
    ///   - close: The text that ends a mark. It is not escaped.
    ///   - ellipsis: Replaces the parts that are cut off the whole text. It is not escaped.
    ///   - escapesHTML: Whether `&`, `<`, `>`, `"` and `'` of the text become character references, so that the text
    ///     can stand in an element or in a quoted attribute of a page.
    /// - Complexity: O(*n*) in the length of the text.
    public func marked(
        _ open: String = "<b>", _ close: String = "</b>", ellipsis: String = "…", escapesHTML: Bool = true
    ) -> String {
        var result = isCutAtStart ? ellipsis : ""
        var position = text.startIndex
        func append(upTo end: String.Index) {
            let part = text[position..<end]
            result += escapesHTML ? part.escapedForHTML : String(part)
            position = end
        }
        for range in ranges {
            append(upTo: range.lowerBound)
            result += open
            append(upTo: range.upperBound)
            result += close
        }
        append(upTo: text.endIndex)
        return isCutAtEnd ? result + ellipsis : result
    }
}

extension Substring {
    /// The text with character references for the characters that have a meaning in HTML.
    fileprivate var escapedForHTML: String {
        var result = String.UnicodeScalarView()
        // A sign with a mark is a single character: scalars are looked at.
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
