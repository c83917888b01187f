// The messages of Chromium's protocol that the tests need: https://chromedevtools.github.io/devtools-protocol/

/// A command, whose properties are its parameters.
protocol DevToolsCommand: Encodable, Sendable {
    associatedtype Reply: Decodable & Sendable
    static var method: String { get }
}

/// A reply without a value that the tests read.
struct NoReply: Decodable, Sendable {}

/// A command as it is sent.
struct DevToolsMessage<Command: DevToolsCommand>: Encodable {
    var id: Int
    var method = Command.method
    var params: Command
    var sessionId: String?
}

/// A message of the browser, without its contents: the reply to a command, which has a number, or an event.
struct DevToolsEnvelope: Decodable {
    struct Failure: Decodable {
        var message: String
    }

    var id: Int?
    var method: String?
    var sessionId: String?
    var error: Failure?
}

/// The contents of a reply.
struct DevToolsReply<Reply: Decodable>: Decodable {
    var result: Reply
}

/// The contents of an event.
struct DevToolsEvent<Parameters: Decodable>: Decodable {
    var params: Parameters
}

/// The commands.
enum DevTools {
    struct CreateContext: DevToolsCommand {
        static let method = "Target.createBrowserContext"
        struct Reply: Decodable { var browserContextId: String }
    }
    struct CreatePage: DevToolsCommand {
        static let method = "Target.createTarget"
        struct Reply: Decodable { var targetId: String }
        var url = "about:blank"
        var browserContextId: String
    }
    struct Attach: DevToolsCommand {
        static let method = "Target.attachToTarget"
        struct Reply: Decodable { var sessionId: String }
        var targetId: String
        var flatten = true
    }
    struct EnablePage: DevToolsCommand {
        static let method = "Page.enable"
        typealias Reply = NoReply
    }
    struct EnableNetwork: DevToolsCommand {
        static let method = "Network.enable"
        typealias Reply = NoReply
    }
    struct EnableRuntime: DevToolsCommand {
        static let method = "Runtime.enable"
        typealias Reply = NoReply
    }
    struct EnableLog: DevToolsCommand {
        static let method = "Log.enable"
        typealias Reply = NoReply
    }
    struct Navigate: DevToolsCommand {
        static let method = "Page.navigate"
        struct Reply: Decodable { var errorText: String? }
        var url: String
    }
    struct Reload: DevToolsCommand {
        static let method = "Page.reload"
        typealias Reply = NoReply
    }
    struct Evaluate: DevToolsCommand {
        static let method = "Runtime.evaluate"
        struct Reply: Decodable {
            struct Object: Decodable {
                var type: String
                var value: String?

                private enum CodingKeys: CodingKey { case type, value }

                /// Reads a text. The value of an exception is an object, which is not needed.
                init(from decoder: any Decoder) throws {
                    let container = try decoder.container(keyedBy: CodingKeys.self)
                    type = try container.decode(String.self, forKey: .type)
                    if type == "string" { value = try container.decode(String.self, forKey: .value) }
                }
            }
            var result: Object
            var exceptionDetails: ExceptionDetails?
        }
        var expression: String
        var awaitPromise = true
        var returnByValue = true
        var userGesture = true
    }
    struct MoveMouse: DevToolsCommand {
        static let method = "Input.dispatchMouseEvent"
        typealias Reply = NoReply
        var type: String
        var x: Double
        var y: Double
        var button = "left"
        var clickCount = 1
    }
    struct PressKey: DevToolsCommand {
        static let method = "Input.dispatchKeyEvent"
        typealias Reply = NoReply
        var type: String
        var key: String
        var code: String?
        var text: String?
        var windowsVirtualKeyCode: Int?
        var modifiers = 0
    }
    struct InsertText: DevToolsCommand {
        static let method = "Input.insertText"
        typealias Reply = NoReply
        var text: String
    }
    struct SetViewport: DevToolsCommand {
        static let method = "Emulation.setDeviceMetricsOverride"
        typealias Reply = NoReply
        var width: Int
        var height: Int
        var deviceScaleFactor = 1
        var mobile = false
    }
    struct SetMedia: DevToolsCommand {
        static let method = "Emulation.setEmulatedMedia"
        typealias Reply = NoReply
        struct Feature: Encodable, Sendable {
            var name: String
            var value: String
        }
        var features: [Feature]
    }
    struct SetScript: DevToolsCommand {
        static let method = "Emulation.setScriptExecutionDisabled"
        typealias Reply = NoReply
        var value: Bool
    }
    struct Capture: DevToolsCommand {
        static let method = "Page.captureScreenshot"
        struct Reply: Decodable { var data: String }
        var format = "png"
    }
}

/// The exception of a script.
struct ExceptionDetails: Decodable {
    struct Object: Decodable { var description: String? }
    var text: String
    var url: String?
    var exception: Object?

    var description: String { [text, exception?.description, url].compactMap(\.self).joined(separator: " ") }
}

/// The parameters of the events.
enum DevToolsEvents {
    struct RequestWillBeSent: Decodable {
        struct Request: Decodable { var url: String }
        var request: Request
    }
    struct ConsoleCalled: Decodable {
        struct Argument: Decodable {
            var type: String
            var description: String?
        }
        var type: String
        var args: [Argument]
    }
    struct ExceptionThrown: Decodable {
        var exceptionDetails: ExceptionDetails
    }
    struct LogEntry: Decodable {
        struct Entry: Decodable {
            var level: String
            var text: String
            var url: String?
        }
        var entry: Entry
    }
    struct FrameNavigated: Decodable {
        var type: String
    }
}
