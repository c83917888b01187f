// A strict parser of the pages' HTML: what a browser would repair is an error here.
//
//     document = "<!DOCTYPE html>" space element space
//     element  = "<" name { " " name [ "=" '"' text '"' ] } ">" [ { element | text } "</" name ">" ]
//     text     = characters without "<", ">", '"' and "&" alone; references are &amp; &lt; &gt; &quot; &#39;

/// An element of a page.
struct HTMLElement {
    var name: String
    var attributes: [String: String]
    var children: [HTMLNode]

    /// The text of the element and of all elements in it.
    var text: String {
        children.reduce(into: "") { all, child in
            switch child {
            case .text(let text): all += text
            case .element(let element): all += element.text
            }
        }
    }

    /// The element and all elements in it, in the order of the page.
    var all: [HTMLElement] {
        children.reduce(into: [self]) { all, child in
            if case .element(let element) = child { all += element.all }
        }
    }

    /// Returns all elements with a name.
    func all(_ name: String) -> [HTMLElement] { all.filter { $0.name == name } }

    /// Returns the elements with a class.
    func all(class name: String) -> [HTMLElement] {
        all.filter { $0.attributes["class"]?.split(separator: " ").contains(Substring(name)) ?? false }
    }

    /// Returns the first element with an identifier; nil if there is none.
    func element(id: String) -> HTMLElement? { all.first { $0.attributes["id"] == id } }

    /// The addresses of all links.
    var links: [String] { all("a").compactMap { $0.attributes["href"] } }

    /// The addresses of the links that a crawler follows.
    var followedLinks: [String] {
        all("a").filter { $0.attributes["rel"] != "nofollow" }.compactMap { $0.attributes["href"] }
    }
}

/// A part of an element.
enum HTMLNode {
    case text(String)
    case element(HTMLElement)
}

/// An error of a page, with the text around it.
struct HTMLError: Error, CustomStringConvertible {
    let description: String
}

/// The strict parser.
struct StrictHTML {
    private let bytes: [UInt8]
    private var position = 0
    private var ids: Set<String> = []

    /// Elements without content and end.
    private static let voids: Set<String> = ["input", "link", "meta"]
    /// Elements whose start is a mistake within the same element.
    private static let unnestable: Set<String> = ["a", "button", "form", "p", "main", "label"]
    /// The elements in which an element may be; elements that are not listed may be in any.
    private static let parents: [String: Set<String>] = [
        "head": ["html"], "body": ["html"], "title": ["head", "svg", "g"], "meta": ["head"], "link": ["head"],
        "thead": ["table"], "tbody": ["table"], "tr": ["thead", "tbody"], "td": ["tr"], "th": ["tr"],
        "li": ["ul", "ol"], "dt": ["dl"], "dd": ["dl"], "summary": ["details"], "caption": ["table"],
        "option": ["select"], "rect": ["svg", "g"], "text": ["svg", "g"],
    ]
    /// The elements with elements of certain names only.
    private static let children: [String: Set<String>] = [
        "table": ["caption", "thead", "tbody"], "tr": ["td", "th"], "ul": ["li"], "ol": ["li"], "dl": ["dt", "dd"],
        "p": ["a", "bdi", "button", "code", "em", "kbd", "mark", "small", "span", "strong", "time"],
        "select": ["option"],
    ]

    /// Returns the root of a page.
    ///
    /// - Throws: ``HTMLError`` for what a browser would repair: elements that are not closed or at the wrong place,
    ///   texts with characters that are to be escaped, unknown references, control characters, repeated attributes,
    ///   identifiers of two elements, inline scripts and styles.
    static func parse(_ page: String) throws(HTMLError) -> HTMLElement {
        var parser = StrictHTML(bytes: Array(page.utf8))
        guard parser.skip("<!DOCTYPE html>\n") else { throw parser.error("The declaration is missing") }
        let root = try parser.element(within: [])
        guard root.name == "html", root.attributes["lang"] != nil else { throw parser.error("The root is no html") }
        guard parser.skip("\n"), parser.next == nil else { throw parser.error("The page goes on after its end") }
        guard let title = root.all("title").first, !title.text.isEmpty else { throw parser.error("No title") }
        guard root.all("main").count == 1, root.all("h1").count == 1 else { throw parser.error("No main, or no h1") }
        return root
    }

    private mutating func element(within path: [String]) throws(HTMLError) -> HTMLElement {
        guard skip("<") else { throw error("An element is expected") }
        let name = try name()
        try check(name, within: path)
        let attributes = try attributes(of: name)
        var element = HTMLElement(name: name, attributes: attributes, children: [])
        if Self.voids.contains(name) { return element }
        while !skip("</\(name)>") {
            guard let next else { throw error("\(name) is not closed") }
            if next == UInt8(ascii: "<") {
                let child = try self.element(within: path + [name])
                if let allowed = Self.children[name], !allowed.contains(child.name) {
                    throw error("\(child.name) is in \(name)")
                }
                element.children.append(.element(child))
            } else {
                let text = try text(upTo: UInt8(ascii: "<"))
                let isBlank = text.allSatisfy(\.isWhitespace)
                if !isBlank, ["table", "thead", "tbody", "tr", "ul", "ol", "dl", "select"].contains(name) {
                    throw error("A text is in \(name)")
                }
                element.children.append(.text(text))
            }
        }
        if name == "script", !element.children.isEmpty { throw error("An inline script") }
        return element
    }

    private func check(_ name: String, within path: [String]) throws(HTMLError) {
        guard name == name.lowercased() else { throw error("\(name) has capital letters") }
        if let parents = Self.parents[name], !parents.contains(path.last ?? "") {
            throw error("\(name) is in \(path.last ?? "nothing")")
        }
        if Self.unnestable.contains(name), path.contains(name) { throw error("\(name) is in \(name)") }
        if ["style", "iframe", "object", "embed", "base"].contains(name) { throw error("\(name) is in a page") }
    }

    private mutating func attributes(of name: String) throws(HTMLError) -> [String: String] {
        var attributes: [String: String] = [:]
        while !skip(">") {
            guard skip(" ") else { throw error("A space or the end of \(name) is expected") }
            let attribute = try self.name()
            guard attributes[attribute] == nil else { throw error("\(attribute) is twice in \(name)") }
            if attribute == "style" || attribute.hasPrefix("on") { throw error("\(attribute) is in \(name)") }
            var value = ""
            if skip("=") {
                guard skip("\"") else { throw error("The value of \(attribute) has no quotes") }
                value = try text(upTo: UInt8(ascii: "\""))
                guard skip("\"") else { throw error("The value of \(attribute) has no end") }
            }
            if attribute == "id", !ids.insert(value).inserted { throw error("Two elements have the id \(value)") }
            if ["href", "src", "action"].contains(attribute), !value.hasPrefix("/") || value.hasPrefix("//"),
                !value.hasPrefix("#")
            {
                throw error("\(attribute) leads elsewhere: \(value)")
            }
            attributes[attribute] = value
        }
        return attributes
    }

    /// Returns the text before a byte, without references.
    private mutating func text(upTo end: UInt8) throws(HTMLError) -> String {
        var text: [UInt8] = []
        var start = position
        while let next, next != end {
            switch next {
            case UInt8(ascii: "&"):
                text += bytes[start..<position]
                text.append(try reference())
                start = position
                continue
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
                throw error("A character is not escaped")
            case UInt8(ascii: "\t"), UInt8(ascii: "\n"): break
            case ..<0x20, 0x7F: throw error("A control character is in a text")
            default: break
            }
            position += 1
        }
        text += bytes[start..<position]
        guard let text = String(validating: text, as: UTF8.self) else { throw error("A text is not UTF-8") }
        for scalar in text.unicodeScalars where !scalar.isASCII {
            guard scalar.properties.generalCategory != .control, !scalar.properties.isNoncharacterCodePoint else {
                throw error("U+\(String(scalar.value, radix: 16)) is in a text")
            }
        }
        return text
    }

    private mutating func reference() throws(HTMLError) -> UInt8 {
        if skip("&amp;") { return UInt8(ascii: "&") }
        if skip("&lt;") { return UInt8(ascii: "<") }
        if skip("&gt;") { return UInt8(ascii: ">") }
        if skip("&quot;") { return UInt8(ascii: "\"") }
        if skip("&#39;") { return UInt8(ascii: "'") }
        throw error("An unknown reference")
    }

    private mutating func name() throws(HTMLError) -> String {
        let start = position
        loop: while let next {
            switch next {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                position += 1
            default: break loop
            }
        }
        guard position > start else { throw error("A name is expected") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private func error(_ reason: String) -> HTMLError {
        HTMLError(description: "\(reason): “\(String(decoding: bytes[position...].prefix(120), as: UTF8.self))”")
    }
}
