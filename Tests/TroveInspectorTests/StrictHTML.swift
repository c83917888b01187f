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
    private var rest: Substring.UnicodeScalarView
    private var ids: Set<String> = []

    /// Elements without content and end.
    private static let voids: Set<String> = ["input", "link", "meta"]
    /// Elements whose start is a mistake within the same element.
    private static let unnestable: Set<String> = ["a", "button", "form", "p", "main", "label"]
    /// The elements in which an element may be; elements that are not listed may be in any.
    private static let parents: [String: Set<String>] = [
        "head": ["html"], "body": ["html"], "title": ["head"], "meta": ["head"], "link": ["head"],
        "thead": ["table"], "tbody": ["table"], "tr": ["thead", "tbody"], "td": ["tr"], "th": ["tr"],
        "li": ["ul", "ol"], "dt": ["dl"], "dd": ["dl"], "summary": ["details"], "caption": ["table"],
        "option": ["select"], "rect": ["svg"],
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
        var parser = StrictHTML(rest: Substring(page).unicodeScalars)
        guard parser.skip("<!DOCTYPE html>\n") else { throw parser.error("The declaration is missing") }
        let root = try parser.element(within: [])
        guard root.name == "html", root.attributes["lang"] != nil else { throw parser.error("The root is no html") }
        guard parser.skip("\n"), parser.rest.isEmpty else { throw parser.error("The page goes on after its end") }
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
            guard let next = rest.first else { throw error("\(name) is not closed") }
            if next == "<" {
                let child = try self.element(within: path + [name])
                if let allowed = Self.children[name], !allowed.contains(child.name) {
                    throw error("\(child.name) is in \(name)")
                }
                element.children.append(.element(child))
            } else {
                let text = try text(upTo: "<")
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
                value = try text(upTo: "\"")
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

    /// Returns the text before a character, without references.
    private mutating func text(upTo end: Unicode.Scalar) throws(HTMLError) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = rest.first, scalar != end {
            switch scalar {
            case "&":
                let references: [(String, Unicode.Scalar)] = [
                    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
                ]
                var found: Unicode.Scalar?
                for (reference, meaning) in references where found == nil && skip(reference) { found = meaning }
                guard let found else { throw error("An unknown reference") }
                text.append(found)
                continue
            case "<", ">", "\"", "'": throw error("\(scalar) is not escaped")
            case "\t", "\n": break
            case _ where scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint:
                throw error("U+\(String(scalar.value, radix: 16)) is in a text")
            default: break
            }
            text.append(scalar)
            rest.removeFirst()
        }
        return String(text)
    }

    private mutating func name() throws(HTMLError) -> String {
        var name = ""
        while let scalar = rest.first, scalar.isASCII,
            scalar.properties.isAlphabetic || "0123456789-".contains(Character(scalar))
        {
            name.unicodeScalars.append(scalar)
            rest.removeFirst()
        }
        guard !name.isEmpty else { throw error("A name is expected") }
        return name
    }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest.removeFirst(text.unicodeScalars.count)
        return true
    }

    private func error(_ reason: String) -> HTMLError {
        HTMLError(description: "\(reason): “\(String(String.UnicodeScalarView(rest.prefix(120))))”")
    }
}
