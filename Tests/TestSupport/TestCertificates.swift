/// A certificate authority of its own and a server's certificate for 127.0.0.1, for tests of TLS. Valid until 2126; the key
/// guards nothing.
public enum TestCertificates {
    public static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBozCCAUmgAwIBAgIUEa2GmkFuDISf7NKdAB2mDgpvR7owCgYIKoZIzj0EAwIw
        HjEcMBoGA1UEAwwTT21iaSB0ZXN0IGF1dGhvcml0eTAgFw0yNjExMjEwODExMzRa
        GA8yMTI2MTAyODA4MTEzNFowHjEcMBoGA1UEAwwTT21iaSB0ZXN0IGF1dGhvcml0
        eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFLp76n4CZa6C7Tjj5oAsCy0XsEz
        2rBVf9TIcnRoUgj8TIOwr7KfW3xC0jIeFtACo09Wv8+T8gh4XgMgN1SI9Y6jYzBh
        MB0GA1UdDgQWBBTLF0elx8PcECNCJsRtPviUSUhXmjAfBgNVHSMEGDAWgBTLF0el
        x8PcECNCJsRtPviUSUhXmjAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIB
        BjAKBggqhkjOPQQDAgNIADBFAiEAhoMGXJ8chbmGzsCJCLEKZbiGt7xBFh/xVROA
        yVtscEMCIFCb3M7Ke2tpbvFgY9u0Nw/oBGWlN40H419dRZ9b8nci
        -----END CERTIFICATE-----
        """

    /// Made out to the address 127.0.0.1 and to no name.
    public static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBvjCCAWSgAwIBAgIUH+303L1sPJDWzY8540/jJjhXN+cwCgYIKoZIzj0EAwIw
        HjEcMBoGA1UEAwwTT21iaSB0ZXN0IGF1dGhvcml0eTAgFw0yNjExMjEwODExMzRa
        GA8yMTI2MTAyODA4MTEzNFowGzEZMBcGA1UEAwwQT21iaSB0ZXN0IHNlcnZlcjBZ
        MBMGByqGSM49AgEGCCqGSM49AwEHA0IABBwX5ZYPeAwuqMeNaQmU3MLpEgbp9Ng6
        70+bTtdiBiBWIjKdliukAwqHGmv2kpJebaOlUvTLvlPAicJQ4++9vlijgYAwfjAJ
        BgNVHRMEAjAAMAsGA1UdDwQEAwIHgDATBgNVHSUEDDAKBggrBgEFBQcDATAPBgNV
        HREECDAGhwR/AAABMB0GA1UdDgQWBBRZkwOpaITmBrhYYcZn2v4gYDE7VzAfBgNV
        HSMEGDAWgBTLF0elx8PcECNCJsRtPviUSUhXmjAKBggqhkjOPQQDAgNIADBFAiEA
        /+qPelW0ohDHTZvarRP0patUTmoPWSkrFybJIwQMTzkCIB1wFSXdJXXvoM02zfi4
        a6PHlmwYi819jBjXQGBzPDlc
        -----END CERTIFICATE-----
        """

    public static let serverKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIDBj0WoaADcrVJ5FWFuPN3LE8Rh5/Fp8ohU/R4VlyWlVoAoGCCqGSM49
        AwEHoUQDQgAEHBfllg94DC6ox41pCZTcwukSBun02DrvT5tO12IGIFYiMp2WK6QD
        Cocaa/aSkl5to6VS9Mu+U8CJwlDj772+WA==
        -----END EC PRIVATE KEY-----
        """
}
