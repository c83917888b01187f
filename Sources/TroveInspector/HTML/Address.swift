// Addresses of this server, with the names and keys of a store in them.

#if Inspector
/// An address of this server: segments of a path, each percent-encoded, and a query.
struct Address: Hashable, Sendable {
    /// The encoded text, which begins with a slash.
    private(set) var text: String

    /// Creates the address of some segments; without any, of the first page.
    init(_ segments: String...) { self.init(path: segments) }

    /// Creates the address of some segments.
    init(path segments: [String]) {
        text = "/" + segments.map { $0.percentEncoded() }.joined(separator: "/")
    }

    /// Returns the address with a further part of the query. A value of nil is left out.
    func with(_ name: String, _ value: String?) -> Address {
        guard let value else { return self }
        var address = self
        address.text += (text.contains("?") ? "&" : "?") + name.percentEncoded() + "=" + value.percentEncoded()
        return address
    }
}

extension String {
    /// The text with all but letters, digits and `-_.~` of ASCII as percents and digits.
    fileprivate func percentEncoded() -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns the text of a percent-encoded one; nil if it is not the encoding of UTF-8.
    ///
    /// - Parameter plusIsSpace: Whether a plus is a space, as forms write it.
    func percentDecoded(plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        var bytes = utf8.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = bytes.next()?.hexadecimalDigit, let low = bytes.next()?.hexadecimalDigit else {
                    return nil
                }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit of ASCII; nil for another byte.
    var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
#endif
