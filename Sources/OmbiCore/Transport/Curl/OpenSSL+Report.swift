#if canImport(CCurl)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// The report of a TLS connection. It is read once and stored with the connection, so that requests that share it report
// the same.
extension OpenSSL {
    func report(of connection: Object, isVerified: Bool) -> TLSReport {
        if let known = known(of: connection) { return known }
        let report = TLSReport(
            version: version(connection).map { String(cString: $0) },
            cipher: currentCipher(connection).flatMap(cipherName).map { String(cString: $0) },
            certificates: peerChain(connection).map(certificates) ?? [], isVerified: isVerified)
        keep(report, with: connection)
        return report
    }

    func certificates(_ chain: Object) -> [TLSReport.Certificate] {
        elements(of: chain).map { certificate in
            TLSReport.Certificate(
                subject: subject(certificate).map(text) ?? "", issuer: issuer(certificate).map(text) ?? "",
                names: names(of: certificate), notBefore: notBefore(certificate).flatMap(date),
                notAfter: notAfter(certificate).flatMap(date))
        }
    }

    private func elements(of stack: Object) -> [Object] {
        (0..<max(stackCount(stack), 0)).compactMap { stackValue(stack, $0) }
    }

    /// "C = DE, O = Example, CN = api.example.com", in UTF-8, with control characters escaped.
    private func text(of name: Object) -> String {
        guard let stream = newStream(memoryKind()) else { return "" }
        defer { _ = freeStream(stream) }
        guard printName(stream, name, 0, Self.nameFormat) >= 0 else { return "" }
        var start: UnsafeMutableRawPointer?
        let length = controlStream(stream, Self.streamData, 0, &start)
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }

    /// `XN_FLAG_ONELINE` without `ASN1_STRFLGS_ESC_MSB`.
    private static let nameFormat: CUnsignedLong = 0x82_031B
    /// `BIO_CTRL_INFO`
    private static let streamData: CInt = 3
    /// `NID_subject_alt_name`
    private static let alternativeNames: CInt = 85

    private func names(of certificate: Object) -> [String] {
        guard let names = copyExtension(certificate, Self.alternativeNames, nil, nil) else { return [] }
        defer { freeNames(names) }
        return elements(of: names).compactMap { name in
            var kind: CInt = 0
            guard let value = nameValue(name, &kind), let start = stringData(value) else { return nil }
            let bytes = UnsafeBufferPointer(start: start, count: Int(max(stringLength(value), 0)))
            switch kind {
            case 2: return String(decoding: bytes, as: UTF8.self)
            case 7: return Self.address(bytes)
            default: return nil
            }
        }
    }

    private static func address(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard [4, 16].contains(bytes.count) else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes.baseAddress, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func date(_ time: Object) -> Date? {
        var fields = tm()
        guard timeToFields(time, &fields) == 1 else { return nil }
        return Date(timeIntervalSince1970: Double(timegm(&fields)))
    }
}
#endif
