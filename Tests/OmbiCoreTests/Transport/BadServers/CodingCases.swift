import Foundation

extension BadServer {
    /// "1f8b": bytes in hexadecimal.
    static func bytes(_ digits: String) -> Data {
        let digits = Array(digits.utf8)
        return Data(
            stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
            })
    }

    private static func coded(_ name: String, _ coding: String, _ body: Data, _ outcome: Outcome) -> BadServer {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
        return BadServer(name, [.bytes(Data(head.utf8) + body)], outcome)
    }

    private static func invalid(_ name: String, _ coding: String, _ body: Data, _ reason: String?) -> BadServer {
        coded(name, coding, body, .malformed("the body from SERVER is not valid \(coding) (\(reason ?? "…"))"))
    }

    // "hello", each.
    private static let gzip = bytes("1f8b0800000000000203cb48cdc9c9070086a6103605000000")
    private static let zlib = bytes("789ccb48cdc9c90700062c0215")
    private static let bare = bytes("cb48cdc9c90700")
    private static let brotli = bytes("2110000468656c6c6f03")
    private static let zstd = bytes("28b52ffd240529000068656c6c6fa36d9f88")
    /// gzip in gzip.
    private static let twice = bytes(
        "1f8b080000000000020393efe660000126e6d31e674f9e6467685b2660c60a140000a76fb44519000000")
    /// 20 MB of zeros.
    private static let bomb = bytes("cfffff7ff82700e2b14020f7fe3fff5962f04f00c46101802e490c")
    private static let cut = "it ends in the middle"

    static let codings: [BadServer] = [
        coded("gzip", "gzip", gzip, .ok("hello")),
        coded("x-gzip", "x-gzip", gzip, .ok("hello")),
        coded("GZIP", "GZIP", gzip, .ok("hello")),
        coded("gzip of two members", "gzip", gzip + gzip, .ok("hellohello")),
        coded("gzip with zeros behind it", "gzip", gzip + Data(count: 20), .ok("hello")),
        coded("gzip with other bytes behind it", "gzip", gzip + Data("garbage".utf8), .ok("hello")),
        coded("gzip with a first byte of another member", "gzip", gzip + Data([0x1F]), .ok("hello")),
        coded("gzip with half a header of another member", "gzip", gzip + gzip.prefix(5), .ok("hello")),
        coded("gzip with what is no header behind it", "gzip", gzip + bytes("1f8b99"), .ok("hello")),
        coded("gzip in gzip", "gzip, gzip", twice, .ok("hello")),
        coded("identity and gzip", "identity, gzip", gzip, .ok("hello")),
        coded("deflate", "deflate", zlib, .ok("hello")),
        coded("deflate without its header", "deflate", bare, .ok("hello")),
        coded("br", "br", brotli, .ok("hello")),
        coded("br with bytes behind it", "br", brotli + Data("garbage".utf8), .ok("hello")),
        coded("zstd", "zstd", zstd, .ok("hello")),
        coded("zstd of two frames", "zstd", zstd + zstd, .ok("hellohello")),
        coded("zstd with bytes behind it", "zstd", zstd + Data("garbage".utf8), .ok("hello")),
        coded("identity", "identity", Data("hello".utf8), .ok("hello")),
        coded("an empty coding", "", Data("hello".utf8), .ok("hello")),
        coded("gzip of nothing", "gzip", Data(), .ok("")),
        coded("br of nothing", "br", Data(), .ok("")),
        coded("an unknown coding of nothing", "banana", Data(), .ok("")),
        coded("a name that is not decoded", "gzip", gzip, .ok("")).with { $0.method = .head },
        coded("gzip without decoding", "identity", Data("hello".utf8), .ok("hello")).with {
            $0.connection.acceptsCompression = false
        },
        coded("an unknown coding without decoding", "banana", Data("hello".utf8), .ok("hello")).with {
            $0.connection.acceptsCompression = false
        },
        invalid("gzip that is none", "gzip", Data("this is not gzip".utf8), "incorrect header check"),
        invalid("gzip cut off in its header", "gzip", gzip.prefix(5), cut),
        invalid("gzip cut off in its data", "gzip", gzip.prefix(13), cut),
        invalid("gzip cut off in its sum", "gzip", gzip.dropLast(1), cut),
        invalid("gzip with a wrong sum", "gzip", gzip.dropLast(8) + Data(count: 8), "incorrect data check"),
        invalid("gzip with a wrong length", "gzip", gzip.dropLast(4) + Data(count: 4), "incorrect length check"),
        invalid("gzip whose second member is cut off", "gzip", gzip + gzip.dropLast(1), cut),
        invalid("deflate that is none", "deflate", bytes("ffffffff"), nil),
        invalid("deflate cut off", "deflate", zlib.prefix(8), cut),
        invalid("deflate of one byte", "deflate", zlib.prefix(1), cut),
        invalid("br that is none", "br", Data("this is not brotli".utf8), nil),
        invalid("br cut off", "br", brotli.prefix(6), cut),
        invalid("zstd that is none", "zstd", Data("this is not zstd".utf8), nil),
        invalid("zstd cut off", "zstd", zstd.prefix(10), cut),
        invalid("zstd with a wrong sum", "zstd", zstd.dropLast(4) + Data(count: 4), nil),
        invalid("zstd with a window of 16 MiB", "zstd", bytes("28b52ffd007029000068656c6c6f"), nil),
        coded("an unknown coding", "banana", Data("hello".utf8), .ok("hello")),
        coded("a coding of control characters", "\u{1B}]0;x\u{07}", Data("hello".utf8), .ok("hello")),
        coded("a coding of 5,000 letters", String(repeating: "x", count: 5000), Data("hello".utf8), .ok("hello")),
        coded("six codings", "gzip, gzip, gzip, gzip, gzip, gzip", Data("hello".utf8), .ok("hello")),
        coded("20 MB in 27 bytes", "br", bomb, .tooLarge("the response from SERVER is larger than 1048576 bytes")),
        BadServer(
            "gzip that the end of the connection cuts off",
            [.bytes(Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8) + gzip.prefix(14))],
            .malformed("the body from SERVER is not valid gzip (\(cut))")),
        BadServer(
            "gzip in chunks",
            [
                .bytes(
                    Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
                        + gzip.flatMap { Data("1\r\n".utf8) + [$0] + Data("\r\n".utf8) } + Data("0\r\n\r\n".utf8))
            ], .ok("hello")),
    ]
}
