//! How much of an answer is read.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;

/// Sends to a collector that answers with so many bytes; how many of them are read.
async fn sent(bytes: usize) -> Result<usize, HttpError> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let collector = Collector::new().unwrap();
    let request = Request::get(url).body(Bytes::new()).unwrap();
    let answering = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 1024]).await.unwrap();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {bytes}\r\n\r\n");
        let answer = [head.as_bytes(), &vec![b'x'; bytes]].concat();
        // Who has read enough closes the connection.
        let _ = stream.write_all(&answer).await;
    };
    let (answer, ()) = tokio::join!(collector.send_bytes(request), answering);
    answer.map(|it| it.into_body().len())
}

#[tokio::test]
async fn an_answer_is_read_to_its_limit() {
    assert_eq!(sent(ANSWER_BYTES).await.unwrap(), ANSWER_BYTES);
    assert!(sent(ANSWER_BYTES + 1).await.is_err());
}
