//! The standard input and output of the process.

use std::io;

use tokio::io::{AsyncRead, AsyncWrite};

type Input = Box<dyn AsyncRead + Send + Unpin>;
type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Opens the standard input of the process.
///
/// Reading from a pipe or a socket, as hosts use, needs no blocking thread.
///
/// # Errors
/// Returns an error if the input cannot be duplicated, or cannot be registered with the runtime.
pub fn stdin() -> io::Result<impl AsyncRead + Send + Unpin> {
    #[cfg(unix)]
    if let Some(input) = unix::stdin()? {
        return Ok(input);
    }
    let input: Input = Box::new(tokio::io::stdin());
    Ok(input)
}

/// Opens the standard output of the process.
///
/// Writing to a pipe or a socket, as hosts use, needs no blocking thread.
///
/// # Errors
/// Returns an error if the output cannot be duplicated, or cannot be registered with the runtime.
pub fn stdout() -> io::Result<impl AsyncWrite + Send + Unpin> {
    #[cfg(unix)]
    if let Some(output) = unix::stdout()? {
        return Ok(output);
    }
    let output: Output = Box::new(tokio::io::stdout());
    Ok(output)
}

#[cfg(unix)]
mod unix {
    use std::{
        io,
        os::{
            fd::{AsFd, OwnedFd},
            unix::{fs::FileTypeExt, net},
        },
        pin::Pin,
        task::{Context, Poll},
    };

    use tokio::{
        io::AsyncWrite,
        net::{UnixStream, unix::pipe},
    };

    use super::{Input, Output};

    enum Kind {
        Pipe,
        Socket,
        Other,
    }

    fn kind(fd: &OwnedFd) -> io::Result<Kind> {
        let file = std::fs::File::from(fd.try_clone()?);
        let file_type = file.metadata()?.file_type();
        Ok(if file_type.is_fifo() {
            Kind::Pipe
        } else if file_type.is_socket() {
            Kind::Socket
        } else {
            Kind::Other
        })
    }

    fn socket(fd: OwnedFd) -> io::Result<UnixStream> {
        let stream = net::UnixStream::from(fd);
        // Fails for anything but a Unix socket. A blocking thread then writes the output.
        stream.local_addr()?;
        stream.set_nonblocking(true)?;
        UnixStream::from_std(stream)
    }

    pub(super) fn stdin() -> io::Result<Option<Input>> {
        let fd = io::stdin().as_fd().try_clone_to_owned()?;
        Ok(match kind(&fd)? {
            Kind::Pipe => Some(Box::new(pipe::Receiver::from_owned_fd(fd)?)),
            Kind::Socket => socket(fd).ok().map(|it| Box::new(it) as _),
            Kind::Other => None,
        })
    }

    pub(super) fn stdout() -> io::Result<Option<Output>> {
        let fd = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(match kind(&fd)? {
            Kind::Pipe => Some(Box::new(PipeWriter(Some(pipe::Sender::from_owned_fd(fd)?)))),
            Kind::Socket => socket(fd).ok().map(|it| Box::new(it) as _),
            Kind::Other => None,
        })
    }

    /// A pipe that becomes blocking again on drop. Other processes may share it and expect it to block.
    struct PipeWriter(Option<pipe::Sender>);

    impl PipeWriter {
        fn sender(&mut self) -> io::Result<Pin<&mut pipe::Sender>> {
            let sender = self.0.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(Pin::new(sender))
        }
    }

    impl Drop for PipeWriter {
        fn drop(&mut self) {
            if let Some(Err(err)) = self.0.take().map(pipe::Sender::into_blocking_fd) {
                tracing::debug!(%err, "the output remains non-blocking");
            }
        }
    }

    impl AsyncWrite for PipeWriter {
        fn poll_write(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            self.sender()?.poll_write(cx, bytes)
        }

        fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.sender()?.poll_flush(cx)
        }

        fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.sender()?.poll_shutdown(cx)
        }
    }
}
