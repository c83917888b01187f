// Markup in which every text is escaped.

#if Inspector
/// Markup of HTML. A text becomes markup by ``init(text:)`` only, which escapes it; names of elements and attributes
/// are those of ``Tag`` and ``Attribute``.
struct HTML: Sendable {
    /// The markup.
    fileprivate(set) var markup = ""

    /// Creates no markup.
    init() {}

    /// Creates the markup of a text.
    init(text: String) { markup = text.escapedForHTML }

    /// Creates markup of parts.
    init(_ parts: [HTML]) { markup = parts.map(\.markup).joined() }

    /// Creates an element.
    fileprivate init(_ tag: Tag, _ attributes: [Attribute], _ content: HTML?) {
        markup = "<" + tag.rawValue
        for attribute in attributes { markup += attribute.markup }
        markup += ">"
        if let content { markup += content.markup + "</" + tag.rawValue + ">" }
    }

    /// The size of the markup in bytes.
    var size: Int { markup.utf8.count }

    /// Returns a page: the declaration of the type, then an element.
    static func document(_ root: HTML) -> String { "<!DOCTYPE html>\n" + root.markup + "\n" }
}

/// An element of HTML or of SVG. A call returns its markup.
enum Tag: String {
    case a, article, aside, bdi, body, button, caption, code, dd, details, div, dl, dt, em, footer, form, g, h1, h2, h3
    case head, header, html, input, kbd, label, li, link, main, mark, meta, nav, ol, option, p, pre, rect, script
    case section, select, small, span, strong, summary, svg, table, tbody, td, text, textarea, th, thead, time, title,
        tr, ul

    /// Whether the element has no content and no end.
    private var isVoid: Bool {
        switch self {
        case .input, .link, .meta: true
        default: false
        }
    }

    /// Returns an element without content.
    func callAsFunction(_ attributes: Attribute...) -> HTML { HTML(self, attributes, isVoid ? nil : HTML()) }

    /// Returns an element.
    func callAsFunction(_ attributes: Attribute..., @HTMLBuilder content: () throws -> HTML) rethrows -> HTML {
        HTML(self, attributes, try content())
    }
}

/// An attribute of an element. Its value is escaped.
struct Attribute: Sendable {
    fileprivate let markup: String

    private init(_ name: String, _ value: String) { markup = " \(name)=\"\(value.escapedForHTML)\"" }

    private init(flag name: String, _ isSet: Bool) { markup = isSet ? " " + name : "" }

    /// An address of this server, which cannot be that of another or a script.
    static func href(_ address: Address) -> Attribute { Attribute("href", address.text) }
    static func action(_ address: Address) -> Attribute { Attribute("action", address.text) }
    static func source(_ address: Address) -> Attribute { Attribute("src", address.text) }

    static func `class`(_ names: String?...) -> Attribute {
        let names = names.compactMap(\.self)
        return names.isEmpty ? Attribute(flag: "class", false) : Attribute("class", names.joined(separator: " "))
    }

    /// No attribute.
    static let none = Attribute(flag: "", false)

    static func id(_ name: String) -> Attribute { Attribute("id", name) }
    /// A place in the same page.
    static func place(_ name: String) -> Attribute { Attribute("href", "#" + name) }
    static func name(_ name: String) -> Attribute { Attribute("name", name) }
    static func value(_ text: String) -> Attribute { Attribute("value", text) }
    static func type(_ type: String) -> Attribute { Attribute("type", type) }
    static func rel(_ relation: String) -> Attribute { Attribute("rel", relation) }
    static func `for`(_ id: String) -> Attribute { Attribute("for", id) }
    static func content(_ text: String) -> Attribute { Attribute("content", text) }
    static func charset(_ name: String) -> Attribute { Attribute("charset", name) }
    static func language(_ name: String) -> Attribute { Attribute("lang", name) }
    static func title(_ text: String) -> Attribute { Attribute("title", text) }
    static func placeholder(_ text: String) -> Attribute { Attribute("placeholder", text) }
    static func method(_ name: String) -> Attribute { Attribute("method", name) }
    static func role(_ name: String) -> Attribute { Attribute("role", name) }
    static func scope(_ name: String) -> Attribute { Attribute("scope", name) }
    static func rows(_ count: Int) -> Attribute { Attribute("rows", "\(count)") }
    /// The number of columns of a cell.
    static func columns(_ count: Int) -> Attribute { Attribute("colspan", "\(count)") }
    static func x(_ x: String) -> Attribute { Attribute("x", x) }
    static func y(_ y: String) -> Attribute { Attribute("y", y) }
    static func width(_ width: String) -> Attribute { Attribute("width", width) }
    static func height(_ height: String) -> Attribute { Attribute("height", height) }
    static func viewBox(_ box: String) -> Attribute { Attribute("viewBox", box) }
    static func preserveAspectRatio(_ rule: String) -> Attribute { Attribute("preserveAspectRatio", rule) }
    /// Data for the script.
    static func data(_ name: StaticString, _ value: String = "") -> Attribute { Attribute("data-\(name)", value) }
    /// An attribute for assistive programs.
    static func aria(_ name: StaticString, _ value: String) -> Attribute { Attribute("aria-\(name)", value) }
    static func hidden(_ isSet: Bool = true) -> Attribute { Attribute(flag: "hidden", isSet) }
    static func `defer`(_ isSet: Bool = true) -> Attribute { Attribute(flag: "defer", isSet) }
    static func selected(_ isSet: Bool) -> Attribute { Attribute(flag: "selected", isSet) }
    static let checked = Attribute(flag: "checked", true)
    static func spellcheck(_ isOn: Bool) -> Attribute { Attribute("spellcheck", isOn ? "true" : "false") }
    static func autocomplete(_ isOn: Bool) -> Attribute { Attribute("autocomplete", isOn ? "on" : "off") }
    static func tabIndex(_ index: Int) -> Attribute { Attribute("tabindex", "\(index)") }
}

/// The builder of markup. A text in it is escaped.
@resultBuilder
enum HTMLBuilder {
    static func buildExpression(_ text: String) -> HTML { HTML(text: text) }
    static func buildExpression(_ text: Substring) -> HTML { HTML(text: String(text)) }
    static func buildExpression(_ number: Int) -> HTML { HTML(text: "\(number)") }
    static func buildExpression(_ part: HTML) -> HTML { part }
    static func buildExpression(_ part: HTML?) -> HTML { part ?? HTML() }
    static func buildExpression(_ parts: [HTML]) -> HTML { HTML(parts) }
    static func buildBlock(_ parts: HTML...) -> HTML { HTML(parts) }
    static func buildOptional(_ part: HTML?) -> HTML { part ?? HTML() }
    static func buildEither(first part: HTML) -> HTML { part }
    static func buildEither(second part: HTML) -> HTML { part }
    static func buildArray(_ parts: [HTML]) -> HTML { HTML(parts) }
}

/// Returns markup of a builder.
func html(@HTMLBuilder _ content: () throws -> HTML) rethrows -> HTML { try content() }

extension String {
    /// Whether a page shows the text without another character in the place of any.
    var isShownAsItIs: Bool { unicodeScalars.allSatisfy { $0.shown == $0 } }

    /// The text for an element or for a value in double quotes. Control characters, which HTML does not have, are shown
    /// by the pictures of Unicode, or as U+FFFD.
    fileprivate var escapedForHTML: String {
        guard utf8.contains(where: \.isSpecialInHTML) else { return self }
        var escaped = ""
        escaped.reserveCapacity(utf8.count + 16)
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar.shown)
            }
        }
        return escaped
    }
}

extension UInt8 {
    /// Whether a text with the byte may need escapes. The scalars of all but ASCII are looked at one by one.
    fileprivate var isSpecialInHTML: Bool {
        switch self {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        case UInt8(ascii: "\n"), UInt8(ascii: "\t"): false
        case ..<0x20, 0x7F, 0xC2, 0xEF, 0xF0...: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// The scalar, or its replacement in a page.
    fileprivate var shown: Unicode.Scalar {
        switch value {
        case 0x09, 0x0A: self
        case ..<0x20: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80..<0xA0, 0xFDD0...0xFDEF: "\u{FFFD}"
        case _ where value & 0xFFFE == 0xFFFE: "\u{FFFD}"
        default: self
        }
    }
}
#endif
